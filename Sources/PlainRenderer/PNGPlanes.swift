internal import Media
internal import Rendering

/// A PNG's channels, averaged over squares while its rows go by: no more than two rows are in memory.
struct PNGPlanes {
    private let header: PNGHeader
    private let unpacking: PNGUnpacking
    /// The side of the squares.
    private let side: Int
    private let across: Int
    private let down: Int

    /// - Parameter wanted: the size of the largest rendition's whole picture.
    /// - Returns: a plane for gray, or three for red, green and blue; then one for alpha, where there is any.
    static func decoded(_ source: Source, _ header: PNGHeader, for wanted: PixelSize) throws(Declined) -> [Plane] {
        let factor = min(
            Double(header.size.width) / Double(wanted.width), Double(header.size.height) / Double(wanted.height))
        let side = min(max(1, Int(factor / JPEGPlanes.margin)), PNGAveraging.largestSide)
        let planes = PNGPlanes(header, side: side)
        guard max(planes.across * planes.down, header.size.width) * 4 <= Plane.largestSampleCount else {
            throw Declined("too large to be whole in memory")
        }
        return try planes.decoded(source)
    }

    private init(_ header: PNGHeader, side: Int) {
        self.header = header
        self.side = side
        unpacking = PNGUnpacking(header)
        across = (header.size.width + side - 1) / side
        down = (header.size.height + side - 1) / side
    }

    private func decoded(_ source: Source) throws(Declined) -> [Plane] {
        let counts = Array(repeating: across * down, count: unpacking.channelCount)
        let planes = try PlaneMemory.filled(counts) { planes throws(Declined) in try read(source, into: planes) }
        return planes.map {
            Plane(
                bytes: $0, rowLength: across, extentX: Double(header.size.width) / Double(side),
                extentY: Double(header.size.height) / Double(side))
        }
    }

    private func read(_ source: Source, into planes: [UnsafeMutableBufferPointer<UInt8>]) throws(Declined) {
        var rows = try PNGRows(source, header)
        var averaging = PNGAveraging(side: side, of: header.size, hasAlpha: header.hasAlpha, into: planes)
        let samples = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: unpacking.isNeeded ? header.size.width * unpacking.channelCount : 0)
        defer { samples.deallocate() }
        for y in 0..<header.size.height {
            let row = try rows.next()
            if unpacking.isNeeded {
                try unpacking.unpack(row, into: samples)
                averaging.add(UnsafeBufferPointer(samples), at: y)
            } else {
                averaging.add(row, at: y)
            }
        }
        try rows.finish()
    }
}
