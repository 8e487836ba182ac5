import Media
import TestDeadline
import Testing
import VideoRenderer

/// Serialized, because FFmpeg has one log a process.
@Suite("Icons and cursors", .serialized, .deadline)
struct IconTests {
    private static let icon = MediaType(rawValue: "image/vnd.microsoft.icon")
    private static let cursor = MediaType(rawValue: "image/x-win-bitmap")

    private func flat(_ side: Int, _ red: UInt8, depth: Int = 24) -> MadeIcon.Picture {
        MadeIcon.Picture(width: side, height: side, depth: depth) { _, _ in [0, 0, red, 255] }
    }

    @Test("The largest picture is shown, and of equally large ones that of more colours", arguments: [false, true])
    func best(isCursor: Bool) throws {
        let made = MadeIcon(
            isCursor: isCursor,
            pictures: [flat(8, 10), flat(16, 90, depth: 1), flat(16, 200), flat(4, 40, depth: 32)])
        let rendered = try RenderedFile(made.bytes, as: isCursor ? Self.cursor : Self.icon)
        #expect(rendered.facts.width == 16 && rendered.facts.height == 16 && rendered.facts.kind == .image)
        #expect(rendered.pixel(5, 5) == [200, 0, 0])
        #expect(rendered.facts.hasAlpha == false)
    }

    @Test("Masked pixels are transparent, and rows run from the bottom", arguments: [1, 24, 32])
    func mask(depth: Int) throws {
        var picture = MadeIcon.Picture(depth: depth) { _, _ in [20, 200, 240, depth == 1 ? 1 : 0] }
        picture.isHidden = { x, y in y == 0 && x < 2 }
        let rendered = try RenderedFile(MadeIcon(pictures: [picture]).bytes, as: Self.icon)
        #expect(rendered.facts.hasAlpha == true)
        for y in 0..<4 {
            for x in 0..<4 {
                #expect(rendered.pixel(x, y)[3] == (y == 0 && x < 2 ? 0 : 255))
                if y > 0 { #expect(Array(rendered.pixel(x, y).prefix(3)) == [240, 200, 20]) }
            }
        }
    }

    @Test("Where pixels have alpha, the mask is ignored")
    func ownAlpha() throws {
        var picture = MadeIcon.Picture { x, _ in [50, 100, 150, x < 2 ? 128 : 255] }
        picture.isHidden = { _, y in y < 2 }
        let rendered = try RenderedFile(MadeIcon(pictures: [picture]).bytes, as: Self.icon)
        #expect(rendered.pixel(0, 0) == [150, 100, 50, 128])
        #expect(rendered.pixel(3, 0) == [150, 100, 50, 255])
    }

    @Test("A picture without its mask is opaque")
    func noMask() throws {
        var picture = flat(4, 77)
        picture.isHidden = nil
        #expect(try RenderedFile(MadeIcon(pictures: [picture]).bytes, as: Self.icon).pixel(1, 1) == [77, 0, 0])
    }

    @Test("The next picture replaces a damaged one")
    func damaged() throws {
        // The largest picture breaks off behind its header.
        var cut = flat(32, 9)
        cut.bytes = Array(MadeIcon(pictures: [flat(32, 9)]).bytes[22..<70])
        let noise = MadeIcon.Picture(pixel: { _, _ in [] }, bytes: [UInt8](repeating: 0x5A, count: 60))
        var made = MadeIcon(pictures: [noise, flat(8, 60), cut])
        #expect(try RenderedFile(made.bytes, as: Self.icon).pixel(3, 3) == [60, 0, 0])
        // The directory points beyond the file, into itself, and at the right place.
        made.pictures = [flat(32, 9), flat(16, 9), flat(8, 60)]
        made.place = { [9_999_999, 3, nil][$0] }
        #expect(try RenderedFile(made.bytes, as: Self.icon).pixel(3, 3) == [60, 0, 0])
    }

    @Test("An icon without a picture is corrupt")
    func empty() throws {
        var made = MadeIcon(pictures: [flat(8, 60)])
        made.place = { _ in Int(UInt32.max) }
        #expect(try RenderedFile.failure(made.bytes, as: Self.icon)?.code == .corrupt)
        for count in 0..<40 {
            let cut = Array(MadeIcon(pictures: [flat(8, 60)]).bytes.prefix(count))
            #expect(try RenderedFile.failure(cut, as: Self.icon)?.code == .corrupt)
        }
    }

    @Test("A picture over the limit on pixels is not decoded")
    func tooLarge() throws {
        let made = MadeIcon(pictures: [flat(100, 60)])
        var limits = Limits()
        limits.framePixelCount = 9_999
        #expect(try RenderedFile.failure(made.bytes, as: Self.icon, limits: limits)?.code == .tooLarge)
        var small = made
        small.pictures.append(flat(50, 30))
        #expect(try RenderedFile(small.bytes, as: Self.icon, limits: limits).pixel(5, 5) == [30, 0, 0])
    }
}
