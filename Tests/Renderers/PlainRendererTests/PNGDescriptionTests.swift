import CLCMS
import CSpng
import Media
import TestDeadline
import Testing

/// Profiles and palettes, sound and odd.
@Suite("Profiles and palettes of PNGs", .deadline)
struct PNGDescriptionTests {
    static var gray: MadePNG { MadePNG(width: 64, height: 64) { _, _ in [128, 128, 128] } }

    /// The body of a chunk `iCCP`; its data are stored, not compressed (RFC 1950 and RFC 1951, 3.2.4).
    static func embedded(_ profile: [UInt8]) -> [UInt8] {
        var body = Array("a name\0".utf8) + [0, 0x78, 0x01]
        for start in stride(from: 0, to: profile.count, by: 60_000) {
            let part = profile[start..<min(start + 60_000, profile.count)]
            body.append(start + 60_000 >= profile.count ? 1 : 0)
            body.appendLittleEndian(UInt16(part.count))
            body.appendLittleEndian(~UInt16(part.count))
            body += part
        }
        var (one, two): (UInt32, UInt32) = (1, 0)
        for byte in profile {
            one = (one + UInt32(byte)) % 65_521
            two = (two + one) % 65_521
        }
        body.appendBigEndian(two << 16 | one)
        return body
    }

    private static let linear = embedded(ProfileTests.linear)

    @Test("A profile is applied, with transparency and without", arguments: [2, 6])
    func profile(colourType: Int) throws {
        var made = Self.gray
        made.colourType = colourType
        if colourType == 6 { made.samples = { _, _ in [128, 128, 128, 77] } }
        let file = MadePNG.inserting("iCCP", Self.linear, into: made.bytes)
        let (facts, bitmaps) = try TestRun(mediaType: .png).rendered(file, into: "16x16")
        #expect(facts.colorSpace == "icc-rgb")
        #expect(bitmaps[0].isNear([188, 188, 188], at: (0.5, 0.5), within: 2))
        if colourType == 6 { #expect(bitmaps[0].pixel(8, 8)[3] == 77) }
    }

    @Test("sRGB's own profile changes nothing, also with 16 bits; another profile with 16 bits is left to libvips")
    func deep() throws {
        var made = Self.gray
        made.depth = 16
        made.samples = { _, _ in [32_896, 0, 65_535] }
        let standard = Self.embedded(ProfileTests.bytes(of: cmsCreate_sRGBProfile()!))
        let bitmap = try TestRun(mediaType: .png).rendered(
            MadePNG.inserting("iCCP", standard, into: made.bytes), into: "16x16"
        ).bitmaps[0]
        #expect(bitmap.pixel(8, 8) == [128, 0, 255])
        #expect(try TestRun(mediaType: .png).declines(MadePNG.inserting("iCCP", Self.linear, into: made.bytes)))
    }

    @Test(
        "A profile that is there twice, beside an sRGB chunk, damaged, of a wrong length or for other components is declined"
    )
    func oddProfiles() throws {
        let run = TestRun(mediaType: .png)
        let file = Self.gray.bytes
        let once = MadePNG.inserting("iCCP", Self.linear, into: file)
        #expect(try !run.declines(once))
        #expect(try run.declines(MadePNG.inserting("iCCP", Self.linear, into: once)))
        #expect(try run.declines(MadePNG.inserting("sRGB", [0], into: once)))
        var damaged = Self.linear
        damaged[damaged.count - 1] ^= 1
        #expect(try run.declines(MadePNG.inserting("iCCP", damaged, into: file)))
        #expect(try run.declines(MadePNG.inserting("iCCP", Self.embedded(ProfileTests.linear + [0]), into: file)))
        #expect(try run.declines(MadePNG.inserting("iCCP", Array("no end".utf8), into: file)))
        var single = Self.gray
        single.colourType = 0
        single.samples = { _, _ in [128] }
        #expect(try run.declines(MadePNG.inserting("iCCP", Self.linear, into: single.bytes)))
    }

    @Test("A palette that is missing, damaged, twice there or too short for its pixels is declined")
    func oddPalettes() throws {
        let run = TestRun(mediaType: .png)
        var made = MadePNG(width: 40, height: 20, colourType: 3) { x, _ in [x % 4] }
        made.palette = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]
        let file = made.bytes
        #expect(try !run.declines(file))
        let place = try #require(file.indices.first { file[$0...].starts(with: "PLTE".utf8) }) - 4
        let (before, chunk, after) = (file[..<place], file[place..<place + 24], file[(place + 24)...])
        #expect(try run.declines(Array(before + after)))
        #expect(try run.declines(Array(before + chunk + chunk + after)))
        var damaged = file
        damaged[place + 10] ^= 1
        #expect(try run.declines(damaged))
        #expect(try run.declines(MadePNG.inserting("tRNS", [0], into: file)), "transparency before its palette")
        let short = MadePNG.inserting("PLTE", [1, 2, 3, 4, 5, 6, 7, 8, 9], into: Array(before + after))
        #expect(try run.declines(short))
    }
}
