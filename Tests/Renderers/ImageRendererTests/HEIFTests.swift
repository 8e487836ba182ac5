import ImageRenderer
import Media
import TestDeadline
import Testing

/// HEIC and AVIF; skipped nowhere: the module is part of Debian's libvips.
@Suite("HEIF", .deadline)
struct HEIFTests {
    /// 16 × 8 pixels of gray 130 (made with libvips), whose colours are stated as *unspecified*.
    static let gray = Base64.decoded([
        "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAOptZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA",
        "AAAAAA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAEOAAEAAAAAAAAAFQAAACNpaW5mAAAAAAABAAAAFWluZmUC",
        "AAAAAAEAAGF2MDEAAAAAamlwcnAAAABLaXBjbwAAABNjb2xybmNseAACAAIABoAAAAAMYXYxQ4EADAAAAAAUaXNwZQAAAAAA",
        "AAAQAAAACAAAABBwaXhpAAAAAAMICAgAAAAXaXBtYQAAAAAAAAABAAEEgYIDhAAAAB1tZGF0EgAKCBgMv7BAgIGhMgcQAAAh",
        "J9Ow",
    ])

    /// The file with other code points (ITU-T H.273) in its `colr` box.
    static func coded(primaries: UInt8, transfer: UInt8) -> [UInt8] {
        var file = gray
        let place = file.indices.first { file[$0...].starts(with: "nclx".utf8) }!
        file[place + 5] = primaries
        file[place + 7] = transfer
        return file
    }

    static func shown(_ file: [UInt8]) throws -> (facts: Facts, pixel: [Int]) {
        let result = try TestRun(.avif)(file, into: "16x16")
        return (result.facts, result.bitmaps[0].pixel(8, 4))
    }

    @Test("An AVIF with sRGB's code points keeps its gray", arguments: [(2, 2), (1, 13)])
    func ordinary(primaries: UInt8, transfer: UInt8) throws {
        let (facts, pixel) = try Self.shown(Self.coded(primaries: primaries, transfer: transfer))
        #expect(pixel.allSatisfy { abs($0 - 130) <= 1 })
        #expect(facts.width == 16 && facts.height == 8 && facts.colorSpace == "srgb" && facts.hdr == nil)
    }

    @Test("PQ is converted to light: 100 cd/m² is a little less than half of white's 203")
    func perceptualQuantizer() throws {
        // ST 2084: code 130 of 255 is 102 cd/m²; 102 / 203 = 0.50 of linear light is 0.737 of sRGB's range.
        let (facts, pixel) = try Self.shown(Self.coded(primaries: 9, transfer: 16))
        #expect(pixel.allSatisfy { abs($0 - 188) <= 3 }, "\(pixel)")
        #expect(facts.colorSpace == "bt2020" && facts.hdr == "pq")
    }

    @Test("HLG is converted for a screen of 1,000 cd/m²")
    func hybridLogGamma() throws {
        // BT.2100: code 130 of 255 is 0.0867 of the scene's light; to the power of 1.2, of 1,000 cd/m², 53 cd/m²: 0.262 of
        // white, 0.549 of sRGB's range.
        let (facts, pixel) = try Self.shown(Self.coded(primaries: 9, transfer: 18))
        #expect(pixel.allSatisfy { abs($0 - 140) <= 3 }, "\(pixel)")
        #expect(facts.hdr == "hlg")
    }

    @Test("Without its module a media type is unsupported, and the failure names the package")
    func missingModule() throws {
        let failure = #expect(throws: Failure.self) { _ = try TestRun(.avif).unprepared(Self.gray) }
        #expect(failure?.code == .unsupported)
        #expect(failure?.detail.contains("libvips42") == true)
    }
}
