import Formats
import Linux
import Media
import Rendering
import TestDeadline
import Testing
import VideoRenderer
import Wire

/// Serialized, because FFmpeg has one log a process.
@Suite("Display fields of Matroska tracks", .serialized, .deadline)
struct MatroskaTests {
    private static let type = MediaType(rawValue: "video/x-matroska")

    /// White but for a black margin, 3 rows at the top, 4 columns at the right, 5 rows at the bottom, 12 columns at the
    /// left.
    private static let framed: [UInt8] = (0..<48).flatMap { y in
        (0..<64).flatMap { x -> [UInt8] in
            let isInside = x >= 12 && x < 60 && y >= 3 && y < 43
            return isInside ? [255, 255, 255] : [0, 0, 0]
        }
    }

    private func file(_ change: (inout MadeMatroska) -> Void = { _ in }) -> [UInt8] {
        var made = MadeMatroska(frame: Self.framed)
        made.extensions = MadeMatroska.cut(3, 4, 5, 12)
        change(&made)
        return made.bytes
    }

    /// The size in the facts, if the picture is white to its corners.
    private func whiteSize(_ bytes: [UInt8]) throws -> String {
        let rendered = try RenderedFile(bytes, as: Self.type)
        let (right, bottom) = (rendered.pixels[0].width - 1, rendered.pixels[0].height - 1)
        let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)]
        guard corners.allSatisfy({ rendered.pixel($0.0, $0.1) == [255, 255, 255] }) else { return "not white" }
        return "\(rendered.facts.width ?? 0)×\(rendered.facts.height ?? 0)"
    }

    @Test("Only the cropped frame is shown, and its size is in the facts")
    func cut() throws {
        #expect(try whiteSize(file()) == "48×40")
        let facts = try RenderedFile(file(), as: Self.type, boxes: []).facts
        #expect(facts.width == 48 && facts.height == 40)
    }

    @Test("The crop is found wherever the tracks lie")
    func places() throws {
        #expect(try whiteSize(file { $0.hasTracksBehind = true }) == "48×40")
        #expect(try whiteSize(file { $0.isEndless = true }) == "48×40")
        let padding = MadeMatroska.element(0xEC, [UInt8](repeating: 0, count: 100_000))
        #expect(try whiteSize(file { $0.front = padding }) == "48×40")
    }

    @Test("Audio tracks are not counted as video tracks")
    func soundFirst() throws {
        #expect(try whiteSize(file { $0.hasSound = true }) == "48×40")
    }

    @Test("The display size applies to the cropped frame, in any unit", arguments: [0, 1, 2, 3])
    func displaySize(unit: Int) throws {
        let shape = MadeMatroska.number(0x54B0, 120) + MadeMatroska.number(0x54BA, 50)
        #expect(try whiteSize(file { $0.extensions += shape + MadeMatroska.number(0x54B2, unit) }) == "96×40")
    }

    @Test("A display size of an unknown unit, or of zero, means square pixels")
    func noDisplaySize() throws {
        let shape = MadeMatroska.number(0x54B0, 120) + MadeMatroska.number(0x54BA, 50) + MadeMatroska.number(0x54B2, 4)
        #expect(try whiteSize(file { $0.extensions += shape }) == "48×40")
        let nothing = MadeMatroska.number(0x54B0, 0) + MadeMatroska.number(0x54BA, 0)
        #expect(try whiteSize(file { $0.extensions += nothing }) == "48×40")
    }

    @Test("The crop precedes the rotation")
    func turned() throws {
        let pose = MadeMatroska.element(0x7670, MadeMatroska.float(0x7675, -90))
        #expect(try whiteSize(file { $0.extensions += pose }) == "40×48")
    }

    /// FFmpeg 7.1 refuses such files: `Container` opens them without the crop.
    @Test(
        "A crop that leaves nothing is ignored",
        arguments: [[24, 0, 24, 0], [0, 64, 0, 0], [0, .max, 0, .max], [48, 0, 0, 0], [0, 0, 0, 0]])
    func impossibleCut(margins: [Int]) throws {
        let cut = MadeMatroska.cut(margins[0], margins[1], margins[2], margins[3])
        let rendered = try RenderedFile(file { $0.extensions = cut }, as: Self.type)
        #expect(rendered.facts.width == 64 && rendered.facts.height == 48)
    }

    @Test("A frame with two views is not cropped")
    func twoViews() throws {
        let rendered = try RenderedFile(file { $0.extensions += MadeMatroska.number(0x53B8, 1) }, as: Self.type)
        #expect(rendered.facts.height == 48)
    }

    private func video(_ bytes: [UInt8], track: Int = 0) throws -> MatroskaVideo? {
        let memory = try MemoryFile.create(name: "source", byteCount: max(1, bytes.count))
        try memory.write(bytes)
        return MatroskaVideo(ofVideoTrack: track, in: try Source(memory))
    }

    @Test("In a file cut off anywhere the crop is found whole, or not at all")
    func cutOff() throws {
        let whole = file()
        let stored = PixelSize(width: 64, height: 48)
        var lengths: Set<String> = []
        for count in 0..<400 {
            let found = try video(Array(whole.prefix(count)))
            lengths.insert(found?.aperture(in: stored)?.size.description ?? "none")
        }
        #expect(lengths == ["none", "48×40"])
        #expect(try video(whole, track: 1) == nil && video(whole, track: .max) == nil)
    }

    @Test(
        "Wrong element sizes end the search",
        arguments: [[0x00], [0xFF], [0x08, 0x7F], [0x01] + [UInt8](repeating: 0xFE, count: 7)])
    func lyingSizes(size: [UInt8]) throws {
        for id: [UInt8] in [[0xEC], [0x16, 0x54, 0xAE, 0x6B], [0x11, 0x4D, 0x9B, 0x74], [0x1F, 0x43, 0xB6, 0x75]] {
            #expect(try video(file { $0.front = id + size }) == nil)
        }
    }

    @Test("The search ends at the limit on elements")
    func tooManyElements() throws {
        let empty = (0..<3000).flatMap { _ in MadeMatroska.element(0xEC, []) }
        #expect(try video(file { $0.front = empty }) == nil)
        let spread = (0..<300).flatMap { _ in MadeMatroska.element(0xEC, [UInt8](repeating: 0, count: 5000)) }
        #expect(try video(file { $0.front = spread }) == nil)
    }

    /// White, of 64 × 24, by x265 with `interlace=tff`: the upper field of a picture.
    private static let field: [UInt8] = [
        0x00, 0x00, 0x00, 0x01, 0x40, 0x01, 0x0C, 0x01, 0xFF, 0xFF, 0x01, 0x60, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00,
        0x00, 0x03, 0x00, 0x00, 0x03, 0x00, 0x1E, 0x95, 0x94, 0x09, 0x00, 0x00, 0x00, 0x01, 0x42, 0x01, 0x01, 0x01,
        0x60, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00, 0x00, 0x03, 0x00, 0x00, 0x03, 0x00, 0x1E, 0xA0, 0x20, 0x82, 0x1F,
        0x2E, 0x59, 0x59, 0x56, 0xF0, 0xBC, 0x05, 0xA1, 0xA0, 0x00, 0x00, 0x03, 0x00, 0x20, 0x00, 0x00, 0x06, 0x41,
        0x00, 0x00, 0x00, 0x01, 0x44, 0x01, 0xC0, 0x71, 0x83, 0x12, 0x00, 0x00, 0x01, 0x4E, 0x01, 0x81, 0x01, 0x0F,
        0x80, 0x00, 0x00, 0x01, 0x4E, 0x01, 0x01, 0x01, 0x11, 0x80, 0x00, 0x00, 0x01, 0x28, 0x01, 0xAC, 0x27, 0x44,
        0x88, 0xEE, 0x03, 0x78, 0xF3, 0x13, 0xAC, 0xBB, 0xD0, 0x3D, 0xE7, 0x8C, 0xE8, 0x5C, 0x2B,
    ]

    @Test("A single field of HEVC is shown at the height of its picture", arguments: [[], ["64x48"]])
    func singleField(boxes: [String]) throws {
        let made = MadeMatroska(height: 24, codec: "V_MPEGH/ISO/HEVC", frame: Self.field)
        let rendered = try RenderedFile(made.bytes, as: Self.type, boxes: boxes)
        #expect(rendered.facts.width == 64 && rendered.facts.height == 48)
        for pixels in rendered.pixels { #expect(pixels.width == 64 && pixels.height == 48) }
        if !boxes.isEmpty { #expect(rendered.pixel(63, 47).allSatisfy { $0 > 250 }) }
    }
}
