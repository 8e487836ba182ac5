/// Resamples a picture with transparency: colours count by how opaque they are, so that what is hidden does not show at edges.
struct CoveredResizer: Sendable {
    /// Gray, or red, green and blue; all of one grid.
    private let colours: [Plane]
    private let alpha: Plane
    private let across: Weights
    private let down: Weights

    /// - Parameter planes: colours, then alpha.
    init(_ planes: [Plane], _ across: Weights, _ down: Weights) {
        colours = Array(planes.dropLast())
        alpha = planes.last!
        self.across = across
        self.down = down
    }

    /// The planes' samples, in their order.
    func result(threadCount: Int) -> [[UInt8]] {
        let (width, height) = (across.first.count, down.first.count)
        let planeCount = colours.count + 1
        let all = [UInt8](unsafeUninitializedCapacity: width * height * planeCount) { target, written in
            // Each thread writes rows of its own.
            nonisolated(unsafe) let target = target
            RowBands.forEach(of: height, threadCount: threadCount) { rows in
                // Runs are padded to a multiple of four, so the last may read three samples behind the row.
                let length = alpha.width + 4
                withUnsafeTemporaryAllocation(of: Float.self, capacity: length * planeCount) { lines in
                    for row in rows {
                        lines.initialize(repeating: 0)
                        sumRows(for: row, into: lines, length)
                        for x in 0..<width {
                            narrow(lines, length, x, into: target, at: row * width + x, width * height)
                        }
                    }
                }
            }
            written = width * height * planeCount
        }
        return (0..<planeCount).map { Array(all[$0 * width * height..<($0 + 1) * width * height]) }
    }

    /// Sums whole rows: colours times alpha, a line each, and alpha in the last line.
    private func sumRows(for row: Int, into lines: UnsafeMutableBufferPointer<Float>, _ length: Int) {
        let covers = lines.baseAddress! + length * colours.count
        for tap in 0..<down.length {
            let weight = down.values[row * down.length + tap]
            if weight == 0 { continue }
            // `Weights` keeps every run inside the plane, apart from padding, whose weights are zero.
            let start = min(down.first[row] + tap, alpha.height - 1) * alpha.rowLength
            alpha.bytes.withUnsafeBufferPointer { opacities in
                let opacity = opacities.baseAddress! + start
                for x in 0..<alpha.width { covers[x] += weight * Float(opacity[x]) }
                for (index, plane) in colours.enumerated() {
                    let sums = lines.baseAddress! + length * index
                    plane.bytes.withUnsafeBufferPointer { samples in
                        let sample = samples.baseAddress! + start
                        for x in 0..<alpha.width { sums[x] += weight * Float(opacity[x]) * Float(sample[x]) }
                    }
                }
            }
        }
    }

    /// One sample of each plane out of the lines.
    private func narrow(
        _ lines: UnsafeMutableBufferPointer<Float>, _ length: Int, _ x: Int,
        into target: UnsafeMutableBufferPointer<UInt8>, at place: Int, _ planeLength: Int
    ) {
        let cover = sum(lines.baseAddress! + length * colours.count, x)
        // Less than half a level is nothing, and nothing has no colour.
        let isVisible = cover >= 0.5
        for index in 0..<colours.count {
            let colour = isVisible ? sum(lines.baseAddress! + length * index, x) / cover : 0
            target[planeLength * index + place] = Self.byte(colour)
        }
        target[planeLength * colours.count + place] = Self.byte(cover)
    }

    private func sum(_ line: UnsafeMutablePointer<Float>, _ x: Int) -> Float {
        let start = line + across.first[x]
        var sum: Float = 0
        for tap in 0..<across.length { sum += start[tap] * across.values[x * across.length + tap] }
        return sum
    }

    private static func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value + 0.5))) }
}
