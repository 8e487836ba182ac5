import CSpng
import Media
import TestDeadline
import Testing

/// Depths, palettes and alpha.
@Suite("Kinds of PNG", .deadline)
struct PNGKindTests {
    static let palette = (0..<16).map { (index: Int) -> [UInt8] in
        [UInt8(index * 16), UInt8(255 - index * 9), UInt8(index * index)]
    }

    struct Kind: CustomTestStringConvertible, Sendable {
        let colourType: Int
        let depth: Int
        var paletteAlpha: [UInt8] = []

        var testDescription: String {
            "type \(colourType), \(depth) bits\(paletteAlpha.isEmpty ? "" : ", transparent")"
        }
        var sampleCount: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colourType]! }
        var hasAlpha: Bool { colourType >= 4 || !paletteAlpha.isEmpty }
        var isGray: Bool { colourType == 0 || colourType == 4 }

        /// Samples without an order, of all values.
        func made(width: Int, height: Int, filter: spng_filter_choice) -> MadePNG {
            let colours = Array(PNGKindTests.palette.prefix(1 << depth))
            let count = colourType == 3 ? colours.count : 1 << depth
            var made = MadePNG(width: width, height: height, depth: depth, colourType: colourType) { x, y in
                (0..<sampleCount).map { channel in
                    let mixed = x * 7919 + y * 104_729 + channel * 1_299_709
                    return (mixed * 31 >> 3) % count
                }
            }
            made.filter = filter
            if colourType == 3 { made.palette = colours }
            made.paletteAlpha = paletteAlpha
            return made
        }
    }

    static let kinds: [Kind] = {
        var kinds: [Kind] = []
        for depth in [1, 2, 4, 8, 16] { kinds.append(Kind(colourType: 0, depth: depth)) }
        for depth in [1, 2, 4, 8] { kinds.append(Kind(colourType: 3, depth: depth)) }
        kinds.append(Kind(colourType: 3, depth: 4, paletteAlpha: [0, 40, 255, 128]))
        kinds.append(Kind(colourType: 3, depth: 1, paletteAlpha: [7]))
        for type in [2, 4, 6] { for depth in [8, 16] { kinds.append(Kind(colourType: type, depth: depth)) } }
        return kinds
    }()

    @Test("At its own size every pixel is what libspng decodes, whatever the filter", arguments: kinds)
    func exact(kind: Kind) throws {
        for filter in PNGRenditionTests.filters.map(spng_filter_choice.init(rawValue:)) {
            let made = kind.made(width: 37, height: 23, filter: filter)
            let file = made.bytes
            let (facts, bitmaps) = try TestRun(mediaType: .png).rendered(file, into: "37x23")
            let bitmap = bitmaps[0]
            #expect(facts.hasAlpha == kind.hasAlpha && facts.colorSpace == (kind.isGray ? "gray" : "srgb"))
            #expect(bitmap.channels == (kind.hasAlpha ? 4 : 3))
            let expected = MadePNG.decoded(file)
            for y in 0..<23 {
                for x in 0..<37 {
                    let pixel = bitmap.pixel(x, y)
                    let place = (y * 37 + x) * 4
                    var known =
                        kind.depth == 16 ? rounded(made.samples(x, y)) : expected[place..<place + 4].map(Int.init)
                    // What cannot be seen has no colour.
                    if known[3] == 0 { known = [0, 0, 0, 0] }
                    #expect(pixel == Array(known.prefix(pixel.count)), "\(x), \(y), filter \(filter.rawValue)")
                }
            }
        }
    }

    /// Samples of 16 bits in 8, as red, green, blue and alpha; libspng cuts them off instead of rounding.
    private func rounded(_ samples: [Int]) -> [Int] {
        let short = samples.map { Int((Double($0) / 257).rounded()) }
        switch short.count {
        case 1: return [short[0], short[0], short[0], 255]
        case 2: return [short[0], short[0], short[0], short[1]]
        case 3: return short + [255]
        default: return short
        }
    }

    @Test(
        "Transparent pixels do not change the colour, however small the picture becomes", arguments: [4, 16, 50, 300])
    func hidden(side: Int) throws {
        // Every other column is opaque red; those between are green that nobody sees.
        let made = MadePNG(width: 400, height: 400, colourType: 6) { x, _ in
            x % 2 == 0 ? [250, 20, 10, 255] : [0, 255, 0, 0]
        }
        let bitmap = try TestRun(mediaType: .png).rendered(made.bytes, into: "\(side)x\(side)").bitmaps[0]
        for (x, y) in [(0, 0), (side / 2, side / 3), (side - 1, side - 1)] {
            let pixel = bitmap.pixel(x, y)
            #expect(zip(pixel, [250, 20, 10]).allSatisfy { abs($0 - $1) <= 2 }, "\(pixel)")
            // At sizes that do not divide the columns evenly they show as a pattern.
            if 400 % side == 0 { #expect(abs(pixel[3] - 128) <= 12, "\(pixel)") }
        }
    }

    @Test("Over any background it looks like the average of the whole picture over it")
    func composited() throws {
        // Colours and opacity that change slowly, in different directions, with noise in the opacity.
        func samples(_ x: Int, _ y: Int) -> [Int] {
            let noise = (x * 31 ^ y * 17) & 127
            return [x * 255 / 599, y * 255 / 399, 255 - x * 255 / 599, noise + y * 128 / 399]
        }
        let made = MadePNG(width: 600, height: 400, colourType: 6, samples: samples)
        let bitmap = try TestRun(mediaType: .png).rendered(made.bytes, into: "60x40", "15x10").bitmaps
        for (small, step) in zip(bitmap, [10, 40]) {
            for y in 1..<small.height - 1 {
                for x in 1..<small.width - 1 {
                    for ground in [0.0, 255] {
                        let shown = Self.over(ground, small.pixel(x, y))
                        var sums = [0.0, 0, 0]
                        for dy in 0..<step {
                            for dx in 0..<step {
                                let full = Self.over(ground, samples(x * step + dx, y * step + dy))
                                for channel in 0..<3 { sums[channel] += full[channel] / Double(step * step) }
                            }
                        }
                        #expect(zip(shown, sums).allSatisfy { abs($0 - $1) <= 6 }, "\(x), \(y): \(shown), not \(sums)")
                    }
                }
            }
        }
    }

    private static func over(_ ground: Double, _ pixel: [Int]) -> [Double] {
        let cover = Double(pixel[3]) / 255
        return pixel[..<3].map { Double($0) * cover + ground * (1 - cover) }
    }

    @Test("EXIF orients the picture with its alpha")
    func turned() throws {
        let made = MadePNG(width: 40, height: 20, colourType: 6) { x, _ in
            x < 20 ? [255, 0, 0, 255] : [0, 0, 255, 100]
        }
        let file = MadePNG.inserting("eXIf", Array(MadeJPEG.exif(orientation: 6).dropFirst(6)), into: made.bytes)
        let (facts, bitmaps) = try TestRun(mediaType: .png).rendered(file, into: "20x40")
        #expect(facts.width == 20 && facts.height == 40 && facts.orientation == 6)
        // A quarter clockwise: what was left is on top.
        #expect(bitmaps[0].pixel(10, 5) == [255, 0, 0, 255] && bitmaps[0].pixel(10, 35) == [0, 0, 255, 100])
    }
}
