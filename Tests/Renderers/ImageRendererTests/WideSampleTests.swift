import CVips
import ImageRenderer
import Media
import TestDeadline
import Testing

/// Samples of floating point, of 32 bits and with a sign: nothing in the file says which is white.
@Suite("Samples whose range the file does not state", .deadline)
struct WideSampleTests {
    private static func floats(_ samples: [Float]) -> [UInt8] {
        var bytes: [UInt8] = []
        for sample in samples { bytes.appendLittleEndian(sample.bitPattern) }
        return bytes
    }

    private static func integers(_ samples: [some FixedWidthInteger]) -> [UInt8] {
        var bytes: [UInt8] = []
        for sample in samples { bytes.appendLittleEndian(sample) }
        return bytes
    }

    /// A row of gray or RGB as it is shown: a pixel's channels after another's.
    private static func shown(
        _ bytes: [UInt8], depth: Int = 32, format: Int, samples: Int = 1, hasAlpha: Bool = false, profile: [UInt8] = []
    ) throws -> [[Int]] {
        let width = bytes.count / (depth / 8) / samples
        let page = TIFFFile.Page(
            width: width, height: 1, samples: samples, depth: depth, sampleFormat: format, hasAlpha: hasAlpha,
            photometric: samples < 3 ? 1 : 2, profile: profile, pixels: bytes)
        let bitmap = try TestRun(.tiff)(TIFFFile(pages: [page]).bytes, into: "\(width)x\(width)").bitmaps[0]
        return (0..<width).map { bitmap.pixel($0, 0) }
    }

    private static func grays(_ pixels: [[Int]]) -> [Int] { pixels.map { $0[0] } }

    @Test("The range of floating point is 0…1 where no sample exceeds it, else 0…255")
    func floatingPoint() throws {
        #expect(Self.grays(try Self.shown(Self.floats([0, 0.2, 1]), format: 3)) == [0, 51, 255])
        #expect(Self.grays(try Self.shown(Self.floats([0, 51, 255]), format: 3)) == [0, 51, 255])
        #expect(try Self.shown(Self.floats([1, 0.2, 0]), format: 3, samples: 3) == [[255, 51, 0]])
        #expect(try Self.shown(Self.floats([255, 51, 0]), format: 3, samples: 3) == [[255, 51, 0]])
    }

    @Test("Alpha has its own range", arguments: [(1, 1), (255, 255), (1, 255), (255, 1)] as [(Float, Float)])
    func alpha(white: Float, opaque: Float) throws {
        let pixels = [1, 0.2, 0].map { $0 * white } + [0.2 * opaque] + [0, 0, 1].map { $0 * white } + [opaque]
        let shown = try Self.shown(Self.floats(pixels), format: 3, samples: 4, hasAlpha: true)
        #expect(shown == [[255, 51, 0, 51], [0, 0, 255, 255]])
    }

    @Test("NaN and infinity change neither their neighbours nor the range")
    func notFinite() throws {
        var samples = (0..<1000).map { _ in Float(0.2) }
        samples.replaceSubrange(996..., with: [.nan, .infinity, -.infinity, 5000])
        let row = Self.grays(try Self.shown(Self.floats(samples), format: 3))
        #expect(row[..<996].allSatisfy { $0 == 51 } && row[996...] == [0, 255, 0, 255])
        let page = TIFFFile.Page(width: 1000, height: 1, depth: 32, sampleFormat: 3, pixels: Self.floats(samples))
        let small = try TestRun(.tiff)(TIFFFile(pages: [page]).bytes, into: "500x500").bitmaps[0]
        #expect((0..<490).allSatisfy { small.pixel($0, 0)[0] == 51 })
    }

    @Test("With many samples beyond white the picture is linear light, and gets sRGB's curve")
    func light() throws {
        let samples: [Float] = [0, 0.2159, 1, 4]
        #expect(Self.grays(try Self.shown(Self.floats(samples), format: 3)) == [0, 128, 255, 255])
    }

    @Test("A profile is applied at full precision: 1/256 of light is 13 of 255")
    func profile() throws {
        let linear = try #require(CalibratedColour(gamma: [0, 1, 0x86, 0xA0], chromaticities: nil)).profile
        let shown = try Self.shown(
            Self.floats([1, 1 / 256, 0.2159]), format: 3, samples: 3, profile: linear)
        #expect(zip(shown[0], [255, 13, 128]).allSatisfy { abs($0 - $1) <= 1 }, "\(shown)")
    }

    @Test("Integers of 32 bits have the whole range, or that of fewer bits where no sample exceeds it")
    func deepIntegers() throws {
        let whole: [UInt32] = [0, 858_993_459, .max]
        #expect(Self.grays(try Self.shown(Self.integers(whole), format: 1)) == [0, 51, 255])
        #expect(Self.grays(try Self.shown(Self.integers([0, 13_107, 65_535] as [UInt32]), format: 1)) == [0, 51, 255])
        #expect(Self.grays(try Self.shown(Self.integers([0, 51, 255] as [UInt32]), format: 1)) == [0, 51, 255])
    }

    @Test("The range of signed integers begins at the lowest where some are negative, else at 0")
    func signed() throws {
        let words: [Int16] = [.min, -19_661, .max]
        #expect(Self.grays(try Self.shown(Self.integers(words), depth: 16, format: 2)) == [0, 51, 255])
        let positive: [Int16] = [0, 6554, .max]
        #expect(Self.grays(try Self.shown(Self.integers(positive), depth: 16, format: 2)) == [0, 51, 255])
        let bytes: [Int8] = [.min, -77, .max]
        #expect(Self.grays(try Self.shown(Self.integers(bytes), depth: 8, format: 2)) == [0, 51, 255])
    }

    @Test("A portable map of floating point begins with its lowest row")
    func portableMap() throws {
        let file = Array("Pf\n1 3\n-1.0\n".utf8) + Self.floats([0, 0.2, 1])
        let result = try TestRun(.portableAnymap)(file, into: "3x3")
        #expect((0..<3).map { result.bitmaps[0].pixel(0, $0)[0] } == [255, 51, 0])
        #expect(result.facts.orientation == nil)
    }

    @Test("Double precision is refused")
    func doublePrecision() throws {
        #expect(throws: Failure.self) { try Self.shown([UInt8](repeating: 0x3C, count: 32), depth: 64, format: 3) }
    }

    @Test("Half precision is shown like floating point, or refused where libvips is older than 8.16")
    func halfPrecision() throws {
        // 0, 0.2 and 1 in binary16 (IEEE 754).
        let bytes = Self.integers([0, 0x3266, 0x3C00] as [UInt16])
        guard vips_version(1) < 16 else {
            return #expect(Self.grays(try Self.shown(bytes, depth: 16, format: 3)) == [0, 51, 255])
        }
        #expect(throws: Failure.self) { try Self.shown(bytes, depth: 16, format: 3) }
    }
}
