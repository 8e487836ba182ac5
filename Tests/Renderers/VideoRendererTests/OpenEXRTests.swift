import Media
import TestDeadline
import Testing
import VideoRenderer

/// Serialized, because FFmpeg has one log a process.
@Suite("OpenEXR", .serialized, .deadline)
struct OpenEXRTests {
    private static let type = MediaType(rawValue: "image/x-exr")

    /// sRGB's curve (IEC 61966-2-1), at 8 bits.
    private func signal(_ light: Float) -> UInt8 {
        let light = Double(min(max(light, 0), 1))
        var low = 0
        // Searches for the signal of the nearest light.
        func back(_ signal: Int) -> Double {
            let part = Double(signal) / 255
            return part <= 0.04045 ? part / 12.92 : powered((part + 0.055) / 1.055)
        }
        while low < 255, abs(back(low + 1) - light) < abs(back(low) - light) { low += 1 }
        return UInt8(low)
    }

    /// The 2.4th power: the fifth root by bisection, to the twelfth.
    private func powered(_ base: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if middle * middle * middle * middle * middle < base { low = middle } else { high = middle }
        }
        return (0..<12).reduce(1) { product, _ in product * low }
    }

    private func rendered(_ channels: [(name: String, value: (Int, Int) -> Float)]) throws -> RenderedFile {
        try RenderedFile(MadeOpenEXR(channels: channels).bytes, as: Self.type)
    }

    @Test("Linear light becomes sRGB's signal", arguments: [0, 0.001, 0.0031308, 0.01, 0.18, 0.5, 0.9, 1] as [Float])
    func light(light: Float) throws {
        let picture = try rendered([("B", { _, _ in light }), ("G", { _, _ in 0 }), ("R", { _, _ in 1 })])
        #expect(picture.facts.width == 4 && picture.facts.height == 3 && picture.facts.kind == .image)
        #expect(picture.pixel(2, 1)[0] == 255 && picture.pixel(2, 1)[1] == 0)
        #expect(abs(Int(picture.pixel(2, 1)[2]) - Int(signal(light))) <= 1)
        #expect(try abs(Int(rendered([("Y", { _, _ in light })]).pixel(0, 0)[1]) - Int(signal(light))) <= 1)
    }

    @Test("Negative light and NaN are black, light over 1 is white")
    func extremes() throws {
        let values: [Float] = [.nan, -.nan, -.infinity, -5, 1.5, 1e30, .infinity, .leastNonzeroMagnitude]
        for (index, value) in values.enumerated() {
            let picture = try rendered([("B", { _, _ in value }), ("G", { _, _ in value }), ("R", { _, _ in value })])
            let wanted: UInt8 = (4...6).contains(index) ? 255 : 0
            #expect(picture.pixel(1, 1) == [wanted, wanted, wanted], "\(value)")
        }
    }

    @Test("Premultiplied colours are divided by alpha")
    func alpha() throws {
        // Light of 0.5, 0.2 and 0 with an alpha of ¾, and transparent at the left.
        func part(_ light: Float) -> (Int, Int) -> Float { { x, _ in x == 0 ? 0 : light * 0.75 } }
        let picture = try rendered([
            ("A", { x, _ in x == 0 ? 0 : 0.75 }), ("B", part(0)), ("G", part(0.2)), ("R", part(0.5)),
        ])
        #expect(picture.facts.hasAlpha == true)
        #expect(picture.pixel(0, 0)[3] == 0)
        for (value, wanted) in zip(picture.pixel(2, 2), [signal(0.5), signal(0.2), 0, 191]) {
            #expect(abs(Int(value) - Int(wanted)) <= 1)
        }
        let broken = try rendered([
            ("A", { x, _ in [Float.nan, -1, .infinity, 1e-37][x] }), ("B", part(1)), ("G", part(.nan)), ("R", part(1)),
        ])
        #expect((0..<4).map { broken.pixel($0, 0)[3] } == [0, 0, 255, 0])
    }

    @Test("The display window is shown, whatever part of it is stored")
    func windows() throws {
        var made = MadeOpenEXR(channels: ["B", "G", "R"].map { ($0, { x, y in x == 2 && y == 1 ? 0 : 1 }) })
        made.stored = (1...2, 1...1)
        let picture = try RenderedFile(made.bytes, as: Self.type)
        #expect(picture.facts.width == 4 && picture.facts.height == 3)
        #expect(picture.pixel(1, 1)[0] == 255 && picture.pixel(2, 1)[0] == 0 && picture.pixel(0, 0)[0] == 0)
    }

    @Test("A file that breaks off does not crash, and one over the limit is refused")
    func damaged() throws {
        let whole = MadeOpenEXR(channels: ["B", "G", "R"].map { ($0, { _, _ in 1 }) })
        for count in stride(from: 0, to: whole.bytes.count, by: 7) {
            let failure = try RenderedFile.failure(Array(whole.bytes.prefix(count)), as: Self.type)
            #expect(failure == nil || failure?.code == .corrupt)
        }
        var large = whole
        (large.width, large.height, large.stored) = (12_000, 12_000, (0...3, 0...2))
        #expect(try RenderedFile.failure(large.bytes, as: Self.type)?.code == .tooLarge)
    }
}
