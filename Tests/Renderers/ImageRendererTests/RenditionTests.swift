import ImageRenderer
import Media
import TestDeadline
import Testing

@Suite("Renditions", .deadline)
struct RenditionTests {
    @Test("One picture serves several targets, each of its exact size and crop")
    func severalTargets() throws {
        let result = try TestRun(.jpeg)(JPEGFile.gradient, into: "32x32", "64x20", "x12", fit: .cover)
        #expect(
            result.bitmaps.map(\.size) == [(32, 32), (64, 20), (16, 12)].map { PixelSize(width: $0.0, height: $0.1) })
        // 32 × 32 out of 43 × 32: the middle of the red ramp, all of the blue one.
        let square = result.bitmaps[0]
        #expect(abs(square.pixel(16, 16)[0] - 128) < 8 && abs(square.pixel(0, 0)[0] - 35) < 10)
        #expect(square.pixel(16, 1)[2] < 16 && square.pixel(16, 30)[2] > 239)
        // 64 × 20 out of 64 × 48: all of the red ramp, the middle of the blue one (14 of 48 rows from the top).
        let strip = result.bitmaps[1]
        #expect(strip.pixel(1, 10)[0] < 12 && strip.pixel(62, 10)[0] > 243)
        #expect(abs(strip.pixel(32, 0)[2] - 77) < 10 && abs(strip.pixel(32, 19)[2] - 178) < 10)
    }

    @Test("A rendition looks the same alone and beside a larger one")
    func sharedDecode() throws {
        let alone = try TestRun(.jpeg)(JPEGFile.gradient, into: "40x30").bitmaps[0]
        let beside = try TestRun(.jpeg)(JPEGFile.gradient, into: "100x100", "40x30").bitmaps[1]
        #expect(alone.size == beside.size)
        for (x, y) in [(0, 0), (39, 0), (20, 15), (0, 29), (39, 29)] {
            #expect(zip(alone.pixel(x, y), beside.pixel(x, y)).allSatisfy { abs($0 - $1) <= 6 }, "at \(x), \(y)")
        }
    }

    @Test("A small picture is enlarged only on request")
    func enlarging() throws {
        let file = PNGFile(width: 2, height: 2, colourType: 0).bytes(rows: [[0, 255], [0, 255]])
        #expect(try TestRun(.png)(file, into: "20x20").bitmaps[0].size == PixelSize(width: 2, height: 2))
        let large = try TestRun(.png)(file, into: "20x20", enlarge: true).bitmaps[0]
        #expect(large.size == PixelSize(width: 20, height: 20))
        #expect(large.pixel(1, 10)[0] < 30 && large.pixel(18, 10)[0] > 225)
    }

    @Test(
        "Extreme shapes keep at least a pixel",
        arguments: [(1, 3000, 1, 100), (3000, 1, 100, 1), (1, 1, 1, 1), (2999, 3, 100, 1)])
    func extremeShapes(width: Int, height: Int, shownWidth: Int, shownHeight: Int) throws {
        let rows = [[UInt8]](repeating: Array(repeating: 90, count: width), count: height)
        let file = PNGFile(width: width, height: height, colourType: 0).bytes(rows: rows)
        let bitmap = try TestRun(.png)(file, into: "100x100").bitmaps[0]
        #expect(bitmap.size == PixelSize(width: shownWidth, height: shownHeight))
        #expect(bitmap.pixel(shownWidth - 1, shownHeight - 1) == [90, 90, 90])
    }

    @Test("A long strip is cropped before it is in memory, also where EXIF turns it")
    func longStrip() throws {
        // Each column of the shown picture has the value of its place.
        let rows = (0..<2000).map { [UInt8](repeating: UInt8($0 / 10), count: 20) }
        let file = TIFFFile(pages: [.init(width: 20, height: 2000, orientation: 8, pixels: rows.flatMap { $0 })]).bytes
        let result = try TestRun(.tiff)(file, into: "40x10", fit: .cover)
        let bitmap = result.bitmaps[0]
        #expect(result.facts.width == 2000 && bitmap.size == PixelSize(width: 40, height: 10))
        #expect(abs(bitmap.pixel(20, 5)[0] - 100) <= 2 && bitmap.pixel(0, 5)[0] < bitmap.pixel(39, 5)[0])
    }

    @Test("The rows of a very wide picture are decoded in order, few at a time")
    func wideStrip() throws {
        let pixels = (0..<300).flatMap { [UInt8](repeating: UInt8($0 / 100 * 100), count: 100_000) }
        let file = TIFFFile(pages: [.init(width: 100_000, height: 300, pixels: pixels)]).bytes
        let bitmap = try TestRun(.tiff)(file, into: "1000x1000").bitmaps[0]
        #expect(bitmap.size == PixelSize(width: 1000, height: 3))
        for x in [0, 500, 999] { #expect((0..<3).allSatisfy { abs(bitmap.pixel(x, $0)[0] - $0 * 100) <= 12 }) }
    }

    @Test("Facts alone read no pixels")
    func factsAlone() throws {
        let result = try TestRun(.jpeg)(JPEGFile.gradient)
        #expect(result.bitmaps.isEmpty)
        #expect(result.facts.width == 128 && result.facts.height == 96 && result.facts.hasAlpha == false)
        #expect(result.facts.colorSpace == "srgb" && result.facts.pageCount == nil)
    }
}
