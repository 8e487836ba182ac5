import CTurboJPEG
import Media
import TestDeadline
import TestSupport
import Testing

/// Pictures that shrink by less than eight, read at half of their size.
@Suite("JPEGs decoded at half of their size", .deadline)
struct HalfSizeTests {
    static let subsamplings = JPEGRenditionTests.subsamplings + [TJSAMP_GRAY.rawValue]

    @Test(
        "All scans of a progressive file add up to the coefficients of the same sequential file",
        arguments: subsamplings, [60, 75, 95])
    func progressive(subsampling: UInt32, quality: Int) throws {
        var made = LowFrequencyTests.textured(width: 837, height: 611)
        (made.subsampling, made.quality) = (TJSAMP(rawValue: subsampling), quality)
        let sequential = made.bytes
        made.isProgressive = true
        for box in ["200x200", "130x130"] {
            let expected = try Self.pixels(of: sequential, box)
            for file in [made.bytes, made.bytes(restarting: "7B"), made.bytes(restarting: "1")] {
                #expect(try TestRun().decoder(file, into: box) == "progressive JPEG: own reader")
                #expect(try Self.pixels(of: file, box) == expected)
            }
        }
    }

    @Test("A progressive file that is truncated before its last scan is left to libjpeg-turbo")
    func brokenOff() throws {
        var made = LowFrequencyTests.textured(width: 837, height: 611)
        made.isProgressive = true
        let file = made.bytes
        let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
        for scan in scans.dropFirst() { #expect(try TestRun().declines(Array(file.prefix(scan)), into: "200x200")) }
        // With an end of image there it is whole, if coarse.
        let tables = file.indices.prefix(scans.last!).last { file[$0] == 0xFF && file[$0 + 1] == 0xC4 }!
        let ended = Array(file.prefix(tables)) + [0xFF, 0xD9]
        #expect(try TestRun().decoder(ended, into: "200x200") == "progressive JPEG: own reader")
        #expect(try TestRun().declines(Array(file.dropLast(2)), into: "200x200"))
    }

    @Test("Files with quantization tables between scans are left to libjpeg-turbo")
    func tablesBetweenScans() throws {
        var made = LowFrequencyTests.textured(width: 837, height: 611)
        made.isProgressive = true
        let file = made.bytes
        let first = file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xDA }!
        let next = file.indices.dropFirst(first + 2).first { file[$0] == 0xFF && file[$0 + 1] == 0xC4 }!
        let table: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 99, count: 64)
        let changed = Array(file.prefix(next)) + table + file.dropFirst(next)
        for box in ["200x200", "100x100"] {
            #expect(try TestRun().decoder(changed, into: box) == "progressive JPEG: libjpeg-turbo")
        }
    }

    @Test("The result looks like the average of the whole picture", arguments: subsamplings)
    func averaged(subsampling: UInt32) throws {
        var made = LowFrequencyTests.textured(width: 837, height: 611)
        made.subsampling = TJSAMP(rawValue: subsampling)
        // Averaging is not the resizer's kernel, the less so the less a picture shrinks.
        #expect(try LowFrequencyTests.meanDifference(made, 200) < 7)
    }

    @Test(
        "Two threads that decode parts of one scan yield the same as one thread", arguments: subsamplings,
        ["300x300", "180x180", "90x90"])
    func divided(subsampling: UInt32, box: String) throws {
        var made = LowFrequencyTests.textured(width: 1437, height: 1100)
        made.subsampling = TJSAMP(rawValue: subsampling)
        let file = made.bytes
        #expect(file.count > 300 << 10)
        #expect(
            try TestRun(threadCount: 2).decoder(file, into: box) == "sequential JPEG: own reader, two parts at once")
        #expect(try TestRun().decoder(file, into: box) == "sequential JPEG: own reader")
        #expect(try Self.pixels(of: file, box, threadCount: 2) == Self.pixels(of: file, box))
    }

    @Test("The picture is the same wherever the second half begins")
    func places() throws {
        var made = LowFrequencyTests.textured(width: 1437, height: 1100)
        made.quality = 85
        let file = made.bytes
        let expected = try Self.pixels(of: file, "90x90")
        var dividedCount = 0
        // A byte more behind the picture moves the middle by half of one.
        for length in 0..<160 {
            let longer = file + [UInt8](repeating: 0xAB, count: length)
            let decoder = try TestRun(threadCount: 2).decoder(longer, into: "90x90")
            if decoder?.hasSuffix("two parts at once") == true { dividedCount += 1 }
            #expect(try Self.pixels(of: longer, "90x90", threadCount: 2) == expected)
        }
        // Where blocks are full of coefficients, codes find their step late, or not before the end.
        #expect(dividedCount >= 140, "\(file.count) bytes")
    }

    @Test("Sampling factors of a gray file change nothing", arguments: [false, true], [0x22, 0x21, 0x14, 0x44])
    func grayFactors(isProgressive: Bool, factors: Int) throws {
        var made = LowFrequencyTests.textured(width: 1437, height: 1100)
        (made.subsampling, made.isProgressive, made.quality) = (TJSAMP_GRAY, isProgressive, 75)
        let file = made.bytes
        var stated = file
        // Behind the marker: length, depth, height, width, the count of components and the first one's identifier.
        stated[MadeJPEG.frame(in: file) + 11] = UInt8(factors)
        for box in ["700x700", "300x300", "180x180", "90x90"] {
            for threadCount in 1...2 {
                #expect(try Self.pixels(of: stated, box, threadCount: threadCount) == Self.pixels(of: file, box))
            }
        }
    }

    @Test("A video appended to the picture is not taken for its second half")
    func trailer() throws {
        let file = LowFrequencyTests.textured(width: 837, height: 611).bytes
        let film = LowFrequencyTests.textured(width: 1237, height: 900).bytes
        for box in ["200x200", "90x90"] {
            #expect(try Self.pixels(of: file + film, box, threadCount: 2) == Self.pixels(of: file, box))
        }
    }

    @Test("Two threads detect the same damage as one thread", arguments: [false, true], [60, 95])
    func damage(isProgressive: Bool, quality: Int) throws {
        var made = LowFrequencyTests.textured(width: quality < 90 ? 1437 : 837, height: quality < 90 ? 1100 : 611)
        (made.isProgressive, made.quality) = (isProgressive, quality)
        let file = made.bytes
        #expect(file.count > 160 << 10)
        var chance = SplitMix(seed: 7)
        for _ in 0..<60 {
            var damaged = file
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                let place = Int.random(in: 600..<file.count - 20, using: &chance)
                for index in place..<place + Int.random(in: 1...12, using: &chance) {
                    damaged[index] = UInt8.random(in: 0...255, using: &chance)
                }
            }
            for box in ["230x230", "90x90"] {
                let outcomes = try [1, 2].map { try Self.outcome(of: damaged, box, threadCount: $0) }
                #expect(outcomes[0] == outcomes[1])
            }
            let cut = Array(file.prefix(Int.random(in: 600..<file.count - 4, using: &chance)))
            #expect(try TestRun(threadCount: 2).declines(cut, into: "200x200"))
        }
    }

    /// The pixels; `nil` where the file is declined.
    private static func outcome(of file: [UInt8], _ box: String, threadCount: Int) throws -> Samples? {
        do {
            return try pixels(of: file, box, threadCount: threadCount)
        } catch is TestRun.Refused {
            return nil
        }
    }

    private static func pixels(of file: [UInt8], _ box: String, threadCount: Int = 1) throws -> Samples {
        Samples(of: try TestRun(threadCount: threadCount).rendered(file, into: box).bitmaps[0])
    }
}
