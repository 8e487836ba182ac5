import Formats
import Linux
import Media
import PageRecognizer
import Rendering
import TestDeadline
import Testing
import Wire

/// Words are recognised for real in `TextTests`, over a scan of `samples/`.
@Suite("Pages that are pictures, by Tesseract", .deadline)
struct PageRecognizerTests {
    private static func text(_ file: [UInt8]) throws -> PageText {
        let source = try MemoryFile.create(name: "source", byteCount: max(1, file.count))
        try source.write(file)
        let room = Wire.longestPageText
        let memory = try MemoryFile.create(name: "text", byteCount: room)
        let mapping = try Mapping(of: memory.number, byteCount: room, writable: true)
        let request = RenderRequest(
            taskID: 1, mediaType: .portableAnymap, limits: Limits(), pageIndex: 4, textByteCount: room)
        let job = RenderJob(request: request, source: try Source(source), memory: mapping)
        guard case .text(_, let byteCount) = try PageRecognizer(as: .recognition).render(job) else {
            throw Failure(.crashed, detail: "an answer without text")
        }
        return try PageText(parsing: withExtendedLifetime(mapping) { Array($0.bytes[..<byteCount]) })
    }

    @Test("A white page has no words, and the number that was asked for")
    func white() throws {
        let page = try Self.text(Array("P5 200 100 255\n".utf8) + [UInt8](repeating: 255, count: 20_000))
        #expect(page.words.isEmpty && page.pageIndex == 4)
        #expect([page.width, page.height] == [200, 100])
    }

    @Test(
        "What is no grey picture of the host is corrupt",
        arguments: [
            "", "P", "P5", "P5 2 2 255\n", "P6 2 2 255\nabcd", "P5 2 2 65535\nabcdefgh", "P5 0 2 255\n",
            "P5 -2 2 255\nabcd",
            "P5 99999999999999999999 2 255\nabcd", "P5 2 2\n", "P5 1048576 1048576 255\nabcd", "P5 # x\n2 2 255\nabcd",
        ])
    func damaged(file: String) throws {
        let failure = #expect(throws: Failure.self) { try Self.text(Array(file.utf8)) }
        #expect(failure?.code == .corrupt)
    }

    @Test("Noise gives text or none, soon")
    func noise() throws {
        var (state, pixels) = (1 as UInt32, [UInt8]())
        for _ in 0..<300 * 200 {
            state = state &* 1_664_525 &+ 1_013_904_223
            pixels.append(UInt8(state >> 24))
        }
        _ = try Self.text(Array("P5 300 200 255\n".utf8) + pixels)
    }
}
