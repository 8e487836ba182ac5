import CTurboJPEG
import Media
import TestDeadline
import Testing

@Suite("Plain JPEGs", .deadline)
struct JPEGRenditionTests {
    static let subsamplings = [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411].map(\.rawValue)

    @Test(
        "Every subsampling and size shows the source's gradient, sequential and progressive",
        arguments: subsamplings, [false, true])
    func gradients(subsampling: UInt32, isProgressive: Bool) throws {
        for (width, height) in [(640, 400), (333, 251), (17, 9)] {
            var made = MadeJPEG.gradient(width: width, height: height)
            made.subsampling = TJSAMP(rawValue: subsampling)
            made.isProgressive = isProgressive
            for side in [16, 40, 90, 200, 700] {
                let bitmap = try TestRun().rendered(made.bytes, into: "\(side)x\(side)").bitmaps[0]
                let scale = min(1, min(Double(side) / Double(width), Double(side) / Double(height)))
                #expect(bitmap.size == PixelSize(width: width, height: height).scaled(by: scale))
                for (x, y) in [(0.25, 0.25), (0.5, 0.5), (0.8, 0.3), (0.3, 0.8)] {
                    let place = (Int(x * Double(bitmap.width)), Int(y * Double(bitmap.height)))
                    // A pixel's middle is where the ramp is sampled; chroma of half or a quarter of the size, and clipped
                    // corners of it, are coarse in a picture of a few blocks.
                    let red = (Double(place.0) + 0.5) / Double(bitmap.width) * 255
                    let green = (Double(place.1) + 0.5) / Double(bitmap.height) * 255
                    let tolerance = width < 100 ? 24 : 5
                    #expect(
                        zip(bitmap.pixel(place.0, place.1), [Int(red), Int(green), 128])
                            .allSatisfy { abs($0 - $1) <= tolerance },
                        "\(width)×\(height) in \(side) at \(x), \(y): \(bitmap.pixel(place.0, place.1))")
                }
            }
        }
    }

    @Test("A file of one component is gray, whatever its sampling factors", arguments: [0x11, 0x22, 0x41])
    func gray(factors: UInt8) throws {
        var made = MadeJPEG(width: 200, height: 100) { x, _ in (x, x, x) }
        made.subsampling = TJSAMP_GRAY
        var file = made.bytes
        file[MadeJPEG.frame(in: file) + 11] = factors
        let (facts, bitmaps) = try TestRun().rendered(file, into: "20x20", "100x100")
        #expect(facts.colorSpace == "gray" && bitmaps[0].channels == 3)
        #expect(bitmaps[0].isNear([105, 105, 105], at: (0.5, 0.5), within: 3))
        #expect(bitmaps[1].isNear([50, 50, 50], at: (0.25, 0.5), within: 3))
    }

    @Test("EXIF orients the picture, at full size and shrunk", arguments: 1...8, ["400x400", "24x24"])
    func orientation(orientation: Int, box: String) throws {
        let stored = MadeJPEG.quarters(width: 320, height: 192)
        let file = MadeJPEG.inserting(0xE1, MadeJPEG.exif(orientation: orientation), into: stored.bytes)
        let (facts, bitmaps) = try TestRun().rendered(file, into: box)
        #expect(facts.orientation == (orientation == 1 ? nil : orientation))
        #expect(facts.width == (orientation >= 5 ? 192 : 320) && facts.height == (orientation >= 5 ? 320 : 192))
        // Red is stored at the upper left, green to its right, blue below it. EXIF 2.32: where row 0 and column 0 are shown.
        let (red, green, blue): ((Double, Double), (Double, Double), (Double, Double)) =
            switch orientation {
            case 1: ((0.2, 0.2), (0.8, 0.2), (0.2, 0.8))
            case 2: ((0.8, 0.2), (0.2, 0.2), (0.8, 0.8))
            case 3: ((0.8, 0.8), (0.2, 0.8), (0.8, 0.2))
            case 4: ((0.2, 0.8), (0.8, 0.8), (0.2, 0.2))
            case 5: ((0.2, 0.2), (0.2, 0.8), (0.8, 0.2))
            case 6: ((0.8, 0.2), (0.8, 0.8), (0.2, 0.2))
            case 7: ((0.8, 0.8), (0.8, 0.2), (0.2, 0.8))
            default: ((0.2, 0.8), (0.2, 0.2), (0.8, 0.8))
            }
        #expect(bitmaps[0].isNear([230, 20, 20], at: red, within: 12))
        #expect(bitmaps[0].isNear([20, 200, 20], at: green, within: 12))
        #expect(bitmaps[0].isNear([20, 20, 240], at: blue, within: 12))
    }

    @Test("One decode serves several renditions, each of its size and crop")
    func severalTargets() throws {
        let file = MadeJPEG.gradient(width: 1200, height: 600).bytes
        let bitmaps = try TestRun().rendered(file, into: "400x400", "50x50", "100x20", fit: .cover).bitmaps
        #expect(bitmaps.map(\.size) == [(400, 400), (50, 50), (100, 20)].map { PixelSize(width: $0.0, height: $0.1) })
        // The middle half of the red ramp in the squares; the middle 40 percent of the green one in the strip.
        for square in bitmaps[0...1] {
            #expect(square.isNear([70, 26, 128], at: (0.05, 0.1), within: 6))
            #expect(square.isNear([185, 230, 128], at: (0.95, 0.9), within: 6))
        }
        #expect(abs(bitmaps[2].pixel(50, 0)[1] - 79) <= 6 && abs(bitmaps[2].pixel(50, 19)[1] - 176) <= 6)
    }

    @Test("A small picture is enlarged only on request")
    func enlarging() throws {
        let file = MadeJPEG.quarters(width: 16, height: 16).bytes
        #expect(try TestRun().rendered(file, into: "64x64").bitmaps[0].size == PixelSize(width: 16, height: 16))
        let large = try TestRun().rendered(file, into: "64x64", enlarge: true).bitmaps[0]
        #expect(
            large.size == PixelSize(width: 64, height: 64) && large.isNear([230, 20, 20], at: (0.2, 0.2), within: 15))
    }

    @Test("Facts alone read no pixels, and bytes behind the picture change nothing")
    func factsAlone() throws {
        let file = MadeJPEG.gradient(width: 64, height: 32).bytes
        let (facts, bitmaps) = try TestRun().rendered(file)
        #expect(bitmaps.isEmpty && facts.width == 64 && facts.height == 32 && facts.hasAlpha == false)
        #expect(facts.colorSpace == "srgb" && facts.orientation == nil)
        let plain = try TestRun().rendered(file, into: "20x20").bitmaps[0]
        let trailing = try TestRun().rendered(file + [UInt8](repeating: 0x55, count: 5000), into: "20x20").bitmaps[0]
        #expect(plain.pixel(5, 5) == trailing.pixel(5, 5))
    }
}
