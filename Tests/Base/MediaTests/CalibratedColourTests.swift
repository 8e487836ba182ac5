import Media
import TestDeadline
import Testing

@Suite("The colours of a PNG without a profile", .deadline)
struct CalibratedColourTests {
    static let standard = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
    static let adobe = [31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000]

    static func body(_ numbers: [Int]) -> [UInt8] {
        numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    }

    static func colour(gamma: Int, _ chromaticities: [Int]? = nil) -> CalibratedColour? {
        CalibratedColour(gamma: body([gamma]), chromaticities: chromaticities.map(body))
    }

    @Test("sRGB's own numbers and nearly equal ones need no conversion", arguments: [45455, 45454, 45000, 46000])
    func noStatement(gamma: Int) {
        #expect(Self.colour(gamma: gamma) == nil)
        #expect(Self.colour(gamma: gamma, Self.standard) == nil)
        #expect(Self.colour(gamma: gamma, [31269, 32899, 63999, 33001, 30001, 59999, 15000, 5999]) == nil)
    }

    @Test("Another gamma or other primaries need one, and its profile has their numbers")
    func stated() throws {
        let linear = try #require(Self.colour(gamma: 100_000))
        #expect(linear.exponent == 1)
        let profile = try #require(ICCProfile(linear.profile))
        #expect(profile.deviceSpace == "RGB " && !profile.isStandard && profile.hasRelativeIntent)
        let adobe = try #require(Self.colour(gamma: 45455, Self.adobe))
        #expect(try !#require(ICCProfile(adobe.profile)).isStandard)
    }

    @Test("The profile of sRGB's primaries and curve is sRGB's: the columns are adapted to D50")
    func columns() throws {
        // White and primaries as near as can be without being passed over.
        let near = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6210]
        let colour = try #require(Self.colour(gamma: 45455, near))
        #expect(try #require(ICCProfile(colour.profile)).isStandard)
    }

    @Test("Impossible gammas are ignored", arguments: [0, 1, 9_999, 1_000_001, 0x7FFF_FFFF, 0xFFFF_FFFF])
    func impossiblePowers(gamma: Int) {
        #expect(Self.colour(gamma: gamma) == nil)
        #expect(Self.colour(gamma: gamma, Self.adobe) == nil)
    }

    @Test(
        "Impossible chromaticities are passed over, the power is not",
        arguments: [
            [0, 0, 0, 0, 0, 0, 0, 0], [31270, 0, 64000, 33000, 30000, 60000, 15000, 6000],
            [31270, 32900, 10000, 10000, 20000, 20000, 30000, 30000], [60000, 39000] + standard.dropFirst(2),
            [31270, 32900, 64000, 33000, 64000, 33000, 64000, 33000], Array(repeating: 0xFFFF_FFFF, count: 8),
            [31270, 1, 64000, 33000, 30000, 60000, 15000, 6000], [31270, 32900, 64000],
        ])
    func impossibleChromaticities(numbers: [Int]) throws {
        #expect(Self.colour(gamma: 45455, numbers) == nil)
        let linear = try #require(Self.colour(gamma: 100_000, numbers))
        #expect(linear.profile == Self.colour(gamma: 100_000)?.profile)
    }

    /// Chunks in their order, those with a body as hundred-thousandths.
    static func chunks(_ chunks: (type: String, numbers: [Int])...) -> PNGColour {
        var colour = PNGColour()
        for chunk in chunks where colour.wants(chunk.type) { colour.take(chunk.type, body(chunk.numbers)) }
        return colour
    }

    @Test("Code points override a profile, which overrides sRGB, which overrides gAMA")
    func precedence() {
        #expect(Self.chunks(("gAMA", [100_000])).calibrated(hasProfile: false)?.exponent == 1)
        #expect(Self.chunks(("gAMA", [100_000])).calibrated(hasProfile: true) == nil)
        #expect(Self.chunks(("gAMA", [100_000]), ("sRGB", [0])).calibrated(hasProfile: false) == nil)
        var coded = Self.chunks(("gAMA", [100_000]))
        let isWanted = coded.wants("cICP")
        #expect(isWanted)
        coded.take("cICP", [12, 13, 0, 1])
        #expect(coded.calibrated(hasProfile: false) == nil)
        #expect(coded.codePoints?.primaries == 12 && coded.codePoints?.transfer == 13)
    }

    @Test("A second gAMA, a gAMA behind the palette, and cHRM alone are ignored")
    func passedOver() {
        let twice = Self.chunks(("gAMA", [100_000]), ("gAMA", [50_000]))
        #expect(twice.calibrated(hasProfile: false)?.exponent == 1)
        #expect(Self.chunks(("PLTE", []), ("gAMA", [100_000])).calibrated(hasProfile: false) == nil)
        #expect(Self.chunks(("cHRM", Self.adobe)).calibrated(hasProfile: false) == nil)
    }

    @Test("Code points with a matrix or a narrow range are ignored", arguments: [[9, 16, 9, 1], [9, 16, 0, 0]])
    func otherCodePoints(body: [UInt8]) {
        var colour = PNGColour()
        let isWanted = colour.wants("cICP")
        #expect(isWanted)
        colour.take("cICP", body)
        #expect(colour.codePoints == nil)
    }
}
