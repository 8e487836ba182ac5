package import Media

/// Averages a drawn page by area, at a smaller size.
///
/// The page's pixels are in the format of cairo and Poppler: four bytes, of which the first three are blue, green and
/// red.
package struct AreaAveraging: SeparableResampling {
    private let width: Int
    private let across: Weights
    private let down: Weights
    /// The weights of `across` for sums of rows, which are 256 times too large.
    private let shares: [Float]
    /// The rows of the page; the caller keeps them until `write` has returned.
    private let pixels: UnsafePointer<UInt8>
    private let bytesPerRow: Int

    /// The unit of the vertical weights: 16 bits hold 255 × 256.
    private static let rowUnit = 1 << 8
    private static let columnUnit = 1 << 16

    /// - Parameters:
    ///   - layout: the layout of the same page at a smaller scale; its crop lies in `area`.
    ///   - scaled: the size of the whole page, of which `area` is a part.
    ///   - area: the part of the page that the rows show.
    ///   - pixels: the rows of `area`, which outlive this value.
    ///   - bytesPerRow: the distance from one row to the next.
    package init(
        _ layout: Layout, of scaled: PixelSize, within area: PixelArea, pixels: UnsafePointer<UInt8>, bytesPerRow: Int
    ) {
        width = area.size.width
        (self.pixels, self.bytesPerRow) = (pixels, bytesPerRow)
        let stepX = Double(scaled.width) / Double(layout.scaled.width)
        let stepY = Double(scaled.height) / Double(layout.scaled.height)
        across = .area(
            count: layout.cropped.width, start: Double(layout.cropX) * stepX - Double(area.x), step: stepX,
            limit: area.size.width, unit: Self.columnUnit)
        down = .area(
            count: layout.cropped.height, start: Double(layout.cropY) * stepY - Double(area.y), step: stepY,
            limit: area.size.height, unit: Self.rowUnit)
        shares = across.values.map { $0 / Float(Self.rowUnit) }
    }

    /// Writes the layout's pixels as RGB, in rows from the top without gaps.
    package func write(to target: UnsafeMutablePointer<UInt8>) {
        write(0..<down.runs.count, rowLength: across.runs.count * 3, to: target)
    }

    var lineLength: Int { width }
    static var noSum: SIMD4<UInt16> { .zero }

    func sumRows(for row: Int, into line: UnsafeMutableBufferPointer<SIMD4<UInt16>>) {
        let channels = UnsafeMutableRawBufferPointer(line).assumingMemoryBound(to: UInt16.self)
        channels.update(repeating: 0)
        let run = down.runs[row]
        for (offset, place) in run.places.enumerated() {
            let weight = UInt16(down.values[place] * Float(Self.rowUnit))
            // `Weights` keeps every run inside the area.
            let row = pixels + (run.first + offset) * bytesPerRow
            for index in 0..<channels.count { channels[index] &+= UInt16(row[index]) &* weight }
        }
    }

    func sumColumns(
        of line: UnsafeMutableBufferPointer<SIMD4<UInt16>>, into target: UnsafeMutableBufferPointer<UInt8>
    ) {
        let (target, sums) = (target.baseAddress!, line.baseAddress!)
        shares.withUnsafeBufferPointer { shares in
            for (column, run) in across.runs.enumerated() {
                var pixel = SIMD4<Float>.zero
                var source = sums + run.first
                for place in run.places {
                    pixel += SIMD4<Float>(source.pointee) * shares[place]
                    source += 1
                }
                // Adding 2²³ rounds the sum and leaves its integer in the lowest bits.
                pixel += 0x1p23
                target[column * 3] = UInt8(truncatingIfNeeded: pixel.z.bitPattern)
                target[column * 3 + 1] = UInt8(truncatingIfNeeded: pixel.y.bitPattern)
                target[column * 3 + 2] = UInt8(truncatingIfNeeded: pixel.x.bitPattern)
            }
        }
    }
}
