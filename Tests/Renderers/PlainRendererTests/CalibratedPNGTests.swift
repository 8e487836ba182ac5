import Media
import TestDeadline
import Testing

/// Chunks `gAMA` and `cHRM` (W3C PNG, third edition, 11.3.2).
@Suite("PNGs that state their colours without a profile", .deadline)
struct CalibratedPNGTests {
    private static func body(_ numbers: [UInt32]) -> [UInt8] {
        var body: [UInt8] = []
        for number in numbers { body.appendBigEndian(number) }
        return body
    }

    static let linear = body([100_000])
    /// sRGB's primaries, each called by the next one's name.
    static let swapped = body([31270, 32900, 30000, 60000, 15000, 6000, 64000, 33000])

    private static func rendered(_ file: [UInt8]) throws -> (facts: Facts, bitmaps: [Bitmap]) {
        try TestRun(mediaType: .png).rendered(file, into: "16x16")
    }

    @Test("Linear samples are converted: RGB, RGBA, gray and gray with alpha", arguments: [0, 2, 4, 6])
    func linear(colourType: Int) throws {
        let samples = [0: [128], 2: [128, 128, 128], 4: [128, 77], 6: [128, 128, 128, 77]][colourType]!
        let made = MadePNG(width: 64, height: 64, colourType: colourType) { _, _ in samples }
        let (facts, bitmaps) = try Self.rendered(MadePNG.inserting("gAMA", Self.linear, into: made.bytes))
        #expect(bitmaps[0].isNear([188, 188, 188], at: (0.5, 0.5), within: 1), "\(bitmaps[0].pixel(8, 8))")
        #expect(facts.colorSpace == (colourType == 0 || colourType == 4 ? "gray" : "calibrated-rgb"))
        if colourType > 2 { #expect(bitmaps[0].pixel(8, 8)[3] == 77) }
    }

    @Test("A palette's linear colours are converted")
    func palette() throws {
        var made = MadePNG(width: 64, height: 64, colourType: 3) { _, _ in [1] }
        made.palette = [[0, 0, 0], [128, 128, 128]]
        let bitmap = try Self.rendered(MadePNG.inserting("gAMA", Self.linear, into: made.bytes)).bitmaps[0]
        #expect(bitmap.isNear([188, 188, 188], at: (0.5, 0.5), within: 1))
    }

    @Test("cHRM's primaries are applied")
    func primaries() throws {
        let made = MadePNG(width: 64, height: 64) { _, _ in [255, 0, 0] }
        let file = MadePNG.inserting("cHRM", Self.swapped, into: made.bytes)
        let alone = try Self.rendered(file)
        #expect(alone.bitmaps[0].pixel(8, 8) == [255, 0, 0] && alone.facts.colorSpace == "srgb")
        let stated = try Self.rendered(MadePNG.inserting("gAMA", Self.body([45455]), into: file))
        #expect(stated.bitmaps[0].isNear([0, 255, 0], at: (0.5, 0.5), within: 2))
    }

    @Test(
        "sRGB's values, impossible ones and those beside an sRGB chunk change nothing", arguments: [45455, 0, 100_000])
    func unchanged(gamma: UInt32) throws {
        let made = MadePNG(width: 64, height: 64) { x, _ in [128, x, 7] }
        let plain = try Self.rendered(made.bytes).bitmaps[0]
        var file = MadePNG.inserting("gAMA", Self.body([gamma]), into: made.bytes)
        if gamma == 100_000 { file = MadePNG.inserting("sRGB", [0], into: file) }
        let (facts, bitmaps) = try Self.rendered(file)
        #expect(facts.colorSpace == "srgb")
        #expect((0..<16).allSatisfy { bitmaps[0].pixel($0, $0) == plain.pixel($0, $0) })
    }

    @Test("16 bits that are not sRGB, damaged chunks and code points are left to libvips")
    func declined() throws {
        let run = TestRun(mediaType: .png)
        var made = MadePNG(width: 64, height: 64) { _, _ in [32_896, 0, 65_535] }
        made.depth = 16
        #expect(try run.declines(MadePNG.inserting("gAMA", Self.linear, into: made.bytes)))
        #expect(try !run.declines(MadePNG.inserting("gAMA", Self.body([45455]), into: made.bytes)))
        var damaged = MadePNG.inserting("gAMA", Self.body([45455]), into: PNGDescriptionTests.gray.bytes)
        damaged[33 + 8] ^= 1
        #expect(try run.declines(damaged))
        #expect(try run.declines(MadePNG.inserting("cICP", [9, 16, 0, 1], into: PNGDescriptionTests.gray.bytes)))
    }
}
