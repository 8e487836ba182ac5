internal import Media
internal import Rendering

/// A PNG's channels, averaged over squares while its rows go by: no more than two rows are in memory.
struct PNGPlanes {
    private let header: PNGHeader
    /// The side of the squares.
    private let shrink: Int
    private let across: Int
    private let down: Int

    /// - Parameter wanted: the size of the largest rendition's whole picture.
    /// - Returns: one plane (gray) or three (red, green, blue).
    static func decoded(_ source: Source, _ header: PNGHeader, for wanted: PixelSize) throws(Declined) -> [Plane] {
        let factor = min(
            Double(header.size.width) / Double(wanted.width), Double(header.size.height) / Double(wanted.height))
        let planes = PNGPlanes(header, shrink: max(1, Int(factor / JPEGPlanes.margin)))
        guard max(planes.across * planes.down, header.size.width) * header.channelCount <= Plane.largestSampleCount
        else {
            throw Declined("too large to be whole in memory")
        }
        return try planes.decoded(source)
    }

    private init(_ header: PNGHeader, shrink: Int) {
        self.header = header
        self.shrink = shrink
        across = (header.size.width + shrink - 1) / shrink
        down = (header.size.height + shrink - 1) / shrink
    }

    private func decoded(_ source: Source) throws(Declined) -> [Plane] {
        let inflater = try PNGInflater(source, at: header.dataOffset)
        var planes = Array(repeating: [UInt8](repeating: 0, count: across * down), count: header.channelCount)
        var sums = [UInt32](repeating: 0, count: across * header.channelCount)
        // A byte for the filter in front of each row.
        let rowLength = header.size.width * header.channelCount + 1
        var row = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: rowLength)
        var above = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: rowLength)
        defer {
            row.deallocate()
            above.deallocate()
        }
        above.initialize(repeating: 0)
        for y in 0..<header.size.height {
            try inflater.read(into: row)
            try PNGFilter.undo(
                row[0], UnsafeMutableBufferPointer(rebasing: row[1...]), UnsafeBufferPointer(rebasing: above[1...]),
                header.channelCount)
            add(UnsafeBufferPointer(rebasing: row[1...]), to: &sums)
            if (y + 1) % shrink == 0 || y + 1 == header.size.height {
                average(&sums, of: y % shrink + 1, into: &planes, at: y / shrink)
            }
            swap(&row, &above)
        }
        try inflater.finish()
        return planes.map {
            Plane(
                bytes: $0, rowLength: across, extentX: Double(header.size.width) / Double(shrink),
                extentY: Double(header.size.height) / Double(shrink))
        }
    }

    private func add(_ row: UnsafeBufferPointer<UInt8>, to sums: inout [UInt32]) {
        let count = header.channelCount
        var place = 0
        for x in 0..<across {
            let end = min(place + shrink * count, row.count)
            if count == 1 {
                var sum: UInt32 = 0
                while place < end {
                    sum &+= UInt32(row[place])
                    place &+= 1
                }
                sums[x] &+= sum
            } else {
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
    }

    /// Divides the sums of some rows by how many pixels they are of, and empties them.
    private func average(_ sums: inout [UInt32], of rowCount: Int, into planes: inout [[UInt8]], at y: Int) {
        let count = header.channelCount
        for x in 0..<across {
            let pixelCount = UInt32(rowCount * min(shrink, header.size.width - x * shrink))
            for channel in 0..<count {
                planes[channel][y * across + x] = UInt8((sums[x * count + channel] + pixelCount / 2) / pixelCount)
                sums[x * count + channel] = 0
            }
        }
    }
}
