internal import Formats
internal import Media
internal import Rendering

/// Decodes a PNG into planes of its channels, averaged over squares row by row; two rows are in memory.
struct PNGPlanes {
    private let header: PNGHeader
    private let unpacking: PNGUnpacking
    private let squares: SquareAverages.Squares

    /// - Parameter wanted: the size of the largest rendition's whole picture.
    /// - Returns: a plane for gray, or three for red, green and blue; then one for alpha, if the picture has it.
    static func decoded(_ source: Source, _ header: PNGHeader, for wanted: PixelSize) throws(Declined) -> [Plane] {
        let planes = PNGPlanes(header, SquareAverages.Squares(of: header.size, for: wanted))
        guard max(planes.squares.count.pixelCount, header.size.width) * 4 <= Plane.largestSampleCount else {
            throw Declined("too large to be whole in memory")
        }
        return try planes.decoded(source)
    }

    private init(_ header: PNGHeader, _ squares: SquareAverages.Squares) {
        self.header = header
        self.squares = squares
        unpacking = PNGUnpacking(header)
    }

    private func decoded(_ source: Source) throws(Declined) -> [Plane] {
        let counts = Array(repeating: squares.count.pixelCount, count: unpacking.channelCount)
        let planes = try PlaneMemory.filled(counts) { planes throws(Declined) in try read(source, into: planes) }
        return planes.map { squares.plane(of: $0) }
    }

    private func read(_ source: Source, into planes: [UnsafeMutableBufferPointer<UInt8>]) throws(Declined) {
        var rows = try PNGRows(source, header)
        var averages = SquareAverages(squares, hasAlpha: header.hasAlpha, into: planes)
        let samples = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: unpacking.isNeeded ? header.size.width * unpacking.channelCount : 0)
        defer { samples.deallocate() }
        for y in 0..<header.size.height {
            let row = try rows.next()
            if unpacking.isNeeded {
                try unpacking.unpack(row, into: samples)
                averages.add(UnsafeBufferPointer(samples), at: y)
            } else {
                averages.add(row, at: y)
            }
        }
        try rows.finish()
    }
}
