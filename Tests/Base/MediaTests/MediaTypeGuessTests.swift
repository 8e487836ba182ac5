import Media
import TestDeadline
import Testing

@Suite("The guess at a media type", .deadline)
struct MediaTypeGuessTests {
    @Test(
        "goes by the first bytes",
        arguments: [
            ("GIF89a", MediaType.gif), ("\u{89}PNG", nil), ("%PDF-1.7", .pdf), ("Go on", nil), ("", nil),
            ("<svg/>", .svg), ("\0\0\0\u{18}ftypisom", .mp4),
        ])
    func beginnings(text: String, type: MediaType?) {
        #expect(MediaType.guess(fromHead: Array(text.utf8), fileName: "a.SVG") == type)
    }

    @Test("takes a G for a transport stream only where the next packet begins with one as well")
    func transportStream() {
        var head = [UInt8](repeating: 0, count: 192)
        head[0] = 0x47
        #expect(MediaType.guess(fromHead: head, fileName: "a") == nil)
        head[188] = 0x47
        #expect(MediaType.guess(fromHead: head, fileName: "a")?.rawValue == "video/mp2t")
    }
}
