import ImageRenderer
import Media
import TestDeadline
import Testing

/// Chunks that libvips passes over: `gAMA`, `cHRM`, `cICP` (W3C PNG, third edition, 11.3.2).
@Suite("PNGs that state their colours without a profile", .deadline)
struct PNGColourTests {
    private static func number(_ number: UInt32) -> [UInt8] {
        var body: [UInt8] = []
        body.appendBigEndian(number)
        return body
    }

    static let linear = (name: "gAMA", body: number(100_000))
    /// sRGB's primaries, each called by the next one's name.
    static let swapped = (
        name: "cHRM", body: [31270, 32900, 30000, 60000, 15000, 6000, 64000, 33000].flatMap(number)
    )

    private static func pixel(
        _ samples: [UInt8], depth: UInt8 = 8, colourType: UInt8, _ chunks: [(name: String, body: [UInt8])],
        isInterlaced: Bool = false
    ) throws -> (colours: [Int], facts: Facts) {
        var file = PNGFile(width: 1, height: 1, depth: depth, colourType: colourType, isInterlaced: isInterlaced)
        file.chunks = chunks
        let result = try TestRun(.png)(file.bytes(rows: [samples]), into: "4x4")
        return (result.bitmaps[0].pixel(0, 0), result.facts)
    }

    @Test("Linear samples are converted, of 8 and of 16 bits, interlaced too")
    func linear() throws {
        let rgb = try Self.pixel([128, 128, 128], colourType: 2, [Self.linear])
        #expect(rgb.colours == [188, 188, 188] && rgb.facts.colorSpace == "calibrated-rgb")
        // 1/256 of the light is 13 of 255: gray of 16 bits has it, and keeps it.
        let dark = try Self.pixel([1, 0], depth: 16, colourType: 0, [Self.linear])
        #expect(dark.colours.allSatisfy { abs($0 - 13) <= 1 }, "\(dark.colours)")
        #expect(dark.facts.colorSpace == "gray")
        let translucent = try Self.pixel([128, 0, 77, 0], depth: 16, colourType: 4, [Self.linear])
        #expect(translucent.colours == [188, 188, 188, 77])
        #expect(try Self.pixel([128, 128, 128], colourType: 2, [Self.linear], isInterlaced: true).colours[0] == 188)
    }

    @Test("cHRM counts where gAMA stands with it")
    func primaries() throws {
        let red: [UInt8] = [255, 0, 0]
        #expect(try Self.pixel(red, colourType: 2, [Self.swapped]).colours == red.map(Int.init))
        let green = try Self.pixel(red, colourType: 2, [("gAMA", Self.number(45455)), Self.swapped]).colours
        #expect(zip(green, [0, 255, 0]).allSatisfy { abs($0 - $1) <= 2 }, "\(green)")
    }

    @Test("An sRGB chunk takes precedence, and impossible or long chunks are ignored")
    func passedOver() throws {
        let gray: [UInt8] = [128, 128, 128]
        let statements: [[(name: String, body: [UInt8])]] = [
            [Self.linear, ("sRGB", [0])], [("gAMA", Self.number(0))], [("gAMA", Self.number(45455))],
            [("gAMA", Self.number(100_000) + Self.number(0))],
        ]
        for chunks in statements {
            #expect(try Self.pixel(gray, colourType: 2, chunks).colours == [128, 128, 128])
        }
    }

    @Test("A damaged chunk is ignored")
    func damaged() throws {
        var file = PNGFile(width: 1, height: 1, colourType: 2)
        file.chunks = [Self.linear]
        var bytes = file.bytes(rows: [[128, 128, 128]])
        bytes[33 + 8 + 4] ^= 1
        #expect(try TestRun(.png)(bytes, into: "4x4").bitmaps[0].pixel(0, 0) == [128, 128, 128])
    }

    @Test("Code points take precedence over all others")
    func codePoints() throws {
        let plain = try Self.pixel([200, 100, 50], colourType: 2, [Self.linear, ("cICP", [1, 13, 0, 1])])
        #expect(plain.colours == [200, 100, 50])
        // Half of PQ's signal is 92 cd/m² of the 203 that are white.
        let bright = try Self.pixel([128, 128, 128], colourType: 2, [Self.linear, ("cICP", [9, 16, 0, 1])])
        #expect(bright.facts.hdr == "pq" && bright.facts.colorSpace == "bt2020")
        #expect((160...190).contains(bright.colours[0]), "\(bright.colours)")
    }
}
