/// Averages a PNG's pixels over squares while its rows go by. Colours count by how opaque they are.
struct PNGAveraging {
    /// The side of a square that is summed and rounded without overflow: 2¹⁶ pixels of 255 × 255 leave a last 33 million.
    static let largestSide = 256

    private let side: Int
    private let width: Int
    /// Squares in a row.
    private let across: Int
    private let channelCount: Int
    private let hasAlpha: Bool
    private var sums: [UInt32]

    init(side: Int, width: Int, channelCount: Int, hasAlpha: Bool) {
        precondition(side <= Self.largestSide, "a square's sum fits")
        self.side = side
        self.width = width
        self.channelCount = channelCount
        self.hasAlpha = hasAlpha
        across = (width + side - 1) / side
        sums = Array(repeating: 0, count: across * channelCount)
    }

    /// - Parameter row: `width` × `channelCount` samples.
    mutating func add(_ row: UnsafeBufferPointer<UInt8>) {
        switch (channelCount, hasAlpha) {
        case (1, _): addGray(row)
        case (2, _): addGrayAlpha(row)
        case (3, _): addRGB(row)
        default: addRGBA(row)
        }
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

    /// Writes the squares' averages, and begins anew.
    ///
    /// - Parameters:
    ///   - rowCount: how many rows have been added.
    ///   - y: the row of `planes`, one of which there is for each channel.
    mutating func finish(_ rowCount: Int, into planes: inout [[UInt8]], at y: Int) {
        for x in 0..<across {
            let pixelCount = UInt32(rowCount * min(side, width - x * side))
            let start = x * channelCount
            let weight = hasAlpha ? sums[start + channelCount - 1] : pixelCount
            for channel in 0..<channelCount {
                let isAlpha = hasAlpha && channel == channelCount - 1
                planes[channel][y * across + x] = Self.divided(sums[start + channel], by: isAlpha ? pixelCount : weight)
            }
            for channel in 0..<channelCount { sums[start + channel] = 0 }
        }
    }

    /// Rounded; 0 for what is nowhere to be seen.
    private static func divided(_ sum: UInt32, by weight: UInt32) -> UInt8 {
        weight == 0 ? 0 : UInt8((sum + weight / 2) / weight)
    }
}
