import ImageRenderer
import Media
import TestDeadline
import Testing

@Suite("Pages of a picture", .deadline)
struct PageTests {
    /// Three pages of different sizes and grays.
    static let tiff = TIFFFile(
        pages: (1...3).map { number in
            .init(
                width: number * 2, height: number,
                pixels: Array(repeating: UInt8(number * 50), count: number * number * 2))
        }
    ).bytes

    @Test("Each page of a TIFF is a picture of its own", arguments: 0..<3)
    func pages(index: Int) throws {
        var run = TestRun(.tiff)
        run.pageIndex = index
        let result = try run(Self.tiff, into: "10x10")
        #expect(result.facts.pageCount == 3)
        #expect(result.facts.width == (index + 1) * 2 && result.facts.height == index + 1)
        #expect(result.bitmaps[0].pixel(0, 0) == Array(repeating: (index + 1) * 50, count: 3))
    }

    @Test("A missing page is refused, and the failure states the number of pages")
    func outOfRange() throws {
        for (mediaType, bytes, count) in [(MediaType.tiff, Self.tiff, 3), (.jpeg, JPEGFile.gradient, 1)] {
            var run = TestRun(mediaType)
            run.pageIndex = 3
            let failure = #expect(throws: Failure.self) { _ = try run(bytes, into: "10x10") }
            #expect(failure?.code == .usage)
            #expect(failure?.message == "Page 4 does not exist: the file has \(count).")
        }
    }

    @Test("An animation shows its first frame")
    func firstFrame() throws {
        // Two frames of one pixel (GIF89a): red, then blue.
        func frame(_ code: UInt8) -> [UInt8] { [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, code, 1, 0] }
        let table: [UInt8] = [255, 0, 0, 0, 0, 255]
        let file = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0] + table + frame(0x44) + frame(0x4C) + [0x3B]
        let result = try TestRun(.gif)(file, into: "10x10")
        #expect(result.bitmaps[0].pixel(0, 0) == [255, 0, 0])
        #expect(result.facts.pageCount == nil)
    }
}
