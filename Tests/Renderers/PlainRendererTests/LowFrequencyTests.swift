import CTurboJPEG
import Glibc
import Media
import TestDeadline
import Testing

/// Pictures that shrink so far that only the lowest coefficients of each block are read.
@Suite("Large JPEGs decoded from their lowest frequencies", .deadline)
struct LowFrequencyTests {
    /// A picture with all frequencies: waves that grow narrower, and noise.
    static func textured(width: Int, height: Int) -> MadeJPEG {
        var state: UInt32 = 7
        let noise = (0..<width * height).map { _ -> Int in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 26)
        }
        return MadeJPEG(width: width, height: height) { x, y in
            let wave = Int(60 * sin(Double(x * x) / Double(width) * 0.7) + 60 * cos(Double(y) * 0.05))
            let level = 96 + wave / 2 + noise[y * width + x]
            return (min(255, max(0, level)), min(255, max(0, level + x * 60 / width)), min(255, max(0, 200 - level)))
        }
    }

    /// The picture as libjpeg-turbo decodes all of it, averaged over each small pixel's area.
    static func averages(of file: [UInt8], width: Int, height: Int, small: PixelSize) -> [[Double]] {
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        let handle = tjInitDecompress()!
        defer { tjDestroy(handle) }
        precondition(
            tjDecompress2(
                handle, file, UInt(file.count), &pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), 0)
                == 0)
        return (0..<small.pixelCount).map { place in
            let (x, y) = (place % small.width, place / small.width)
            let columns = x * width / small.width..<(x + 1) * width / small.width
            let rows = y * height / small.height..<(y + 1) * height / small.height
            return (0..<3).map { channel in
                let sum = rows.reduce(0) { sum, row in
                    columns.reduce(sum) { $0 + Int(pixels[(row * width + $1) * 3 + channel]) }
                }
                return Double(sum) / Double(columns.count * rows.count)
            }
        }
    }

    @Test(
        "The result looks like the average of the whole picture", arguments: JPEGRenditionTests.subsamplings,
        [(832, 624, 104), (840, 600, 40), (835, 611, 50)])
    func averaged(subsampling: UInt32, sizes: (width: Int, height: Int, side: Int)) throws {
        var made = Self.textured(width: sizes.width, height: sizes.height)
        made.subsampling = TJSAMP(rawValue: subsampling)
        for isProgressive in [false, true] {
            made.isProgressive = isProgressive
            let difference = try Self.meanDifference(made, sizes.side)
            // Averaging is not the resizer's kernel, and coarse chroma is not fine: but a wrong coefficient is far from either.
            #expect(difference < 6, "\(difference) levels on average")
        }
    }

    /// Between a rendition and the whole picture's averages, in levels.
    static func meanDifference(_ made: MadeJPEG, _ side: Int) throws -> Double {
        let file = made.bytes
        let bitmap = try TestRun().rendered(file, into: "\(side)x\(side)").bitmaps[0]
        let expected = averages(of: file, width: made.width, height: made.height, small: bitmap.size)
        var total = 0.0
        for y in 0..<bitmap.height {
            for x in 0..<bitmap.width {
                total += zip(bitmap.pixel(x, y), expected[y * bitmap.width + x])
                    .reduce(0) { $0 + abs(Double($1.0) - $1.1) }
            }
        }
        return total / Double(bitmap.size.pixelCount * 3)
    }

    @Test("A spot of another colour is in its place, with restart markers and without")
    func restarts() throws {
        var made = MadeJPEG(width: 800, height: 800) { x, y in
            (480..<560).contains(x) && (160..<240).contains(y) ? (250, 10, 10) : (20, 90, 160)
        }
        // Not as the test's arguments: these run side by side, and the interval is the process's.
        for interval in ["", "3B", "2"] {
            for isProgressive in [false, true] {
                made.isProgressive = isProgressive
                let file = made.bytes(restarting: interval)
                let markers = file.indices.dropLast().count { file[$0] == 0xFF && (0xD0...0xD7).contains(file[$0 + 1]) }
                #expect((markers > 0) == !interval.isEmpty)
                for side in [100, 40] { try Self.checkPatch(in: file, side) }
            }
        }
    }

    private static func checkPatch(in file: [UInt8], _ side: Int) throws {
        for threadCount in 1...2 {
            let bitmap = try TestRun(threadCount: threadCount).rendered(file, into: "\(side)x\(side)").bitmaps[0]
            #expect(bitmap.isNear([250, 10, 10], at: (0.65, 0.25), within: 8))
            for place in [(0.5, 0.25), (0.8, 0.25), (0.65, 0.1), (0.65, 0.4), (0.02, 0.02), (0.98, 0.98)] {
                #expect(bitmap.isNear([20, 90, 160], at: place, within: 8), "\(place) in \(side)")
            }
        }
    }

    @Test("A progressive file is read no further than its DC coefficients, or its first band")
    func firstScans() throws {
        var made = Self.textured(width: 800, height: 600)
        made.isProgressive = true
        let file = made.bytes
        let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        #expect(scans.count > 4)
        let whole = try TestRun().rendered(file, into: "40x40", "80x80").bitmaps
        let cut = Array(file.prefix(scans[2]))
        let bitmaps = try TestRun().rendered(cut, into: "40x40", "80x80").bitmaps
        #expect((0..<30).allSatisfy { bitmaps[0].pixel($0, $0) == whole[0].pixel($0, $0) })
        #expect((0..<60).allSatisfy { bitmaps[1].pixel($0, $0) == whole[1].pixel($0, $0) })
        #expect(try TestRun().rendered(Array(file.prefix(scans[1])), into: "40x40").bitmaps.count == 1)
        #expect(try TestRun().declines(Array(file.prefix((scans[0] + scans[1]) / 2))))
    }

    @Test("Where chroma's DC coefficients are too coarse, later scans are read for its lowest AC coefficients")
    func chromaScans() throws {
        // 8.4 times smaller, and chroma is stored at half the size.
        var made = Self.textured(width: 840, height: 600)
        made.isProgressive = true
        let file = made.bytes
        let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        let whole = try TestRun().rendered(file, into: "100x100").bitmaps[0]
        let cut = try TestRun().rendered(Array(file.prefix(scans[4])), into: "100x100").bitmaps[0]
        #expect((0..<70).allSatisfy { cut.pixel($0, $0) == whole.pixel($0, $0) })
        #expect(try TestRun().declines(Array(file.prefix((scans[0] + scans[1]) / 2))))
    }

    @Test("Two threads yield and decline the same as one", arguments: [800, 840])
    func threads(width: Int) throws {
        var made = Self.textured(width: width, height: 600)
        made.isProgressive = true
        let file = made.bytes
        let one = try TestRun().rendered(file, into: "100x100").bitmaps[0]
        let two = try TestRun(threadCount: 2).rendered(file, into: "100x100").bitmaps[0]
        #expect(Samples(of: one) == Samples(of: two))
        let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        #expect(try TestRun(threadCount: 2).declines(Array(file.prefix((scans[0] + scans[1]) / 2))))
        // Damage in the means that leaves the scan's length as it was.
        var damaged = file
        for place in (scans[0] + scans[1]) / 2..<scans[1] - 40 { damaged[place] = 0xAA }
        let results = try [1, 2].map { try TestRun(threadCount: $0).declines(damaged) }
        #expect(results[0] == results[1])
    }
}
