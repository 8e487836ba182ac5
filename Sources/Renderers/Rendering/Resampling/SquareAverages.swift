package import Media

/// Averages a picture's pixels over squares, row by row. Colours are weighted by alpha.
package struct SquareAverages {
    /// The largest side whose sums fit: 2¹⁶ pixels of 255 × 255 leave room for rounding in 32 bits.
    private static let largestSide = 256

    /// The division of a picture into squares.
    package struct Squares: Sendable {
        fileprivate let side: Int
        fileprivate let size: PixelSize
        /// The number of squares across and down.
        package let count: PixelSize

        /// - Parameters:
        ///   - size: the picture's size.
        ///   - wanted: the size to which the averages will be resized.
        package init(of size: PixelSize, for wanted: PixelSize) {
            let factor = min(
                Double(size.width) / Double(wanted.width), Double(size.height) / Double(wanted.height))
            let side = min(max(1, Int(factor / Plane.margin)), SquareAverages.largestSide)
            (self.side, self.size) = (side, size)
            count = PixelSize(width: (size.width + side - 1) / side, height: (size.height + side - 1) / side)
        }

        /// A plane of a channel's averages.
        package func plane(of averages: [UInt8]) -> Plane {
            Plane(
                bytes: averages, rowLength: count.width, extentX: Double(size.width) / Double(side),
                extentY: Double(size.height) / Double(side))
        }
    }

    private let side: Int
    private let size: PixelSize
    /// The number of squares in a row.
    private let across: Int
    private let channelCount: Int
    private let hasAlpha: Bool
    private var sums: [UInt32]
    /// A plane for each channel, with rows of `across` samples.
    private let planes: [UnsafeMutableBufferPointer<UInt8>]

    /// - Parameters:
    ///   - hasAlpha: whether the last channel is the alpha of the others.
    ///   - planes: one for each channel, with a sample for each square; they outlive this value.
    package init(_ squares: Squares, hasAlpha: Bool, into planes: [UnsafeMutableBufferPointer<UInt8>]) {
        precondition(planes.allSatisfy { $0.count == squares.count.pixelCount }, "a sample for each square")
        (side, size, across) = (squares.side, squares.size, squares.count.width)
        self.hasAlpha = hasAlpha
        self.planes = planes
        channelCount = planes.count
        sums = Array(repeating: 0, count: across * channelCount)
    }

    /// Adds the next row, and writes the averages of the squares that it completes.
    ///
    /// - Parameters:
    ///   - row: a sample for each channel of each pixel.
    ///   - y: the row's number from the top.
    package mutating func add(_ row: UnsafeBufferPointer<UInt8>, at y: Int) {
        precondition(row.count == size.width * channelCount && y < size.height, "a row of the picture")
        if side == 1 { return separate(row, at: y) }
        switch (channelCount, hasAlpha) {
        case (1, _): addGray(row)
        case (2, _): addGrayAlpha(row)
        case (3, _): addRGB(row)
        default: addRGBA(row)
        }
        if (y + 1) % side == 0 || y + 1 == size.height { finish(y % side + 1, at: y / side) }
    }

    /// Copies pixels if a square is one pixel; transparent pixels become black.
    private func separate(_ row: UnsafeBufferPointer<UInt8>, at y: Int) {
        let (step, alpha) = (channelCount, channelCount - 1)
        for channel in 0..<channelCount {
            let target = targets(of: channel, at: y)
            if hasAlpha, channel < alpha {
                for x in 0..<across { target[x] = row[x &* step &+ alpha] == 0 ? 0 : row[x &* step &+ channel] }
            } else {
                for x in 0..<across { target[x] = row[x &* step &+ channel] }
            }
        }
    }

    private func targets(of channel: Int, at y: Int) -> UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(rebasing: planes[channel][y * across..<(y + 1) * across])
    }

    private mutating func addGray(_ row: UnsafeBufferPointer<UInt8>) {
        var place = 0
        for x in 0..<across {
            let end = min(place &+ side, row.count)
            var sum: UInt32 = 0
            while place < end {
                sum &+= UInt32(row[place])
                place &+= 1
            }
            sums[x] &+= sum
        }
    }

    private mutating func addRGB(_ row: UnsafeBufferPointer<UInt8>) {
        var place = 0
        for x in 0..<across {
            let end = min(place &+ side &* 3, row.count)
            var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
            while place < end {
                red &+= UInt32(row[place])
                green &+= UInt32(row[place &+ 1])
                blue &+= UInt32(row[place &+ 2])
                place &+= 3
            }
            sums[x &* 3] &+= red
            sums[x &* 3 &+ 1] &+= green
            sums[x &* 3 &+ 2] &+= blue
        }
    }

    private mutating func addGrayAlpha(_ row: UnsafeBufferPointer<UInt8>) {
        var place = 0
        for x in 0..<across {
            let end = min(place &+ side &* 2, row.count)
            while place < end {
                let alpha = UInt32(row[place &+ 1])
                sums[x &* 2] &+= UInt32(row[place]) &* alpha
                sums[x &* 2 &+ 1] &+= alpha
                place &+= 2
            }
        }
    }

    private mutating func addRGBA(_ row: UnsafeBufferPointer<UInt8>) {
        var place = 0
        for x in 0..<across {
            let end = min(place &+ side &* 4, row.count)
            var (red, green, blue, cover): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
            while place < end {
                let alpha = UInt32(row[place &+ 3])
                red &+= UInt32(row[place]) &* alpha
                green &+= UInt32(row[place &+ 1]) &* alpha
                blue &+= UInt32(row[place &+ 2]) &* alpha
                cover &+= alpha
                place &+= 4
            }
            sums[x &* 4] &+= red
            sums[x &* 4 &+ 1] &+= green
            sums[x &* 4 &+ 2] &+= blue
            sums[x &* 4 &+ 3] &+= cover
        }
    }

    /// Writes the averages of a row of squares, and clears the sums.
    private mutating func finish(_ rowCount: Int, at y: Int) {
        let last = across - 1
        finish(0..<last, of: rowCount * side, at: y)
        finish(last..<across, of: rowCount * (size.width - last * side), at: y)
        sums.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
    }

    /// - Parameter pixelCount: the number of pixels in each of these squares.
    private func finish(_ squares: Range<Int>, of pixelCount: Int, at y: Int) {
        let pixels = Quotient(by: UInt32(pixelCount))
        let opaque = Quotient(by: UInt32(pixelCount) * 255)
        let (step, alpha) = (channelCount, channelCount - 1)
        sums.withUnsafeBufferPointer { sums in
            for channel in 0..<channelCount {
                let target = targets(of: channel, at: y)
                if hasAlpha, channel < alpha {
                    for x in squares {
                        let (sum, cover) = (sums[x &* step &+ channel], sums[x &* step &+ alpha])
                        target[x] = cover == opaque.divisor ? opaque.rounded(sum) : Self.divided(sum, by: cover)
                    }
                } else {
                    for x in squares { target[x] = pixels.rounded(sums[x &* step &+ channel]) }
                }
            }
        }
    }

    /// A rounded quotient; 0 if all pixels are transparent.
    private static func divided(_ sum: UInt32, by cover: UInt32) -> UInt8 {
        cover == 0 ? 0 : UInt8((sum + cover / 2) / cover)
    }
}

/// Divides sums of samples by one divisor, by multiplication.
private struct Quotient {
    let divisor: UInt32
    private let reciprocal: UInt64

    private static let bits: UInt64 = 56

    /// - Parameter divisor: below 2²⁴.
    init(by divisor: UInt32) {
        self.divisor = divisor
        reciprocal = (1 << Self.bits) / UInt64(divisor) + 1
    }

    /// The rounded quotient of a sum of at most 255 times the divisor.
    ///
    /// With half a divisor added, the sum is at most 255.5 divisors. The reciprocal is too large by at most 2⁻⁵⁶, and
    /// the quotient by 255.5 × 2⁻⁵⁶ divisors. That is less than 1 / divisor, the least distance between a non-integer
    /// quotient and the next integer.
    @inline(__always)
    func rounded(_ sum: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt64(sum &+ divisor / 2) &* reciprocal) &>> Self.bits)
    }
}
