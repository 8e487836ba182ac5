import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("compass thumb --explain", .deadline)
struct ExplainTests {
    /// A sample, its renderer, and the words that the explanation must have.
    @Test(
        "--explain tells for every kind of file which renderer opened it, and how",
        arguments: [
            (
                "rotate-90.mp4", "compass-render-video",
                ["h264", "display matrix", "limited range", "the first that is shown", "decoded as"]
            ),
            ("hdr10.mp4", "compass-render-video", ["BT.2390", "bt2020"]),
            ("anamorphic.mp4", "compass-render-video", ["pixels of"]),
            ("cover.mp3", "compass-render-video", ["the cover"]),
            ("card.bmp", "compass-render-video", ["bmp"]),
            ("orientation-6.jpg", "compass-render-plain", ["JPEG", "by EXIF orientation 6", "decoded as"]),
            ("display-p3.jpg", "compass-render-plain", ["by the embedded profile"]),
            ("alpha.webp", "compass-render-image", ["webpload", "loaded as"]),
            ("pages-24.pdf", "compass-render-pdf", ["page 1 of 24", "poppler"]),
            ("drawing.svg", "compass-render-image", ["svgload"]),
        ])
    func says(sample: String, program: String, words: [String]) throws {
        let scratch = try CompassProgram()
        defer { scratch.remove() }
        let output = try scratch.run(["thumb", "--explain", "--size", "100", Checkout.sample(sample)])
        #expect(output.status == 0 && output.lines.count == 1, "results stay alone on standard output")
        for word in words + [program, "    type  ", "times", "render", "MiB", "cache"] {
            #expect(output.standardError.contains(word), "\(word)")
        }
    }

    @Test("A renderer that leaves a file to the next says why")
    func declined() throws {
        let scratch = try CompassProgram()
        defer { scratch.remove() }
        let output = try scratch.run(["thumb", "--explain", Checkout.sample("cmyk.jpg")])
        #expect(output.standardError.contains("compass-render-plain  declined: "))
        #expect(output.standardError.contains("jpegload"))
    }

    @Test("With --json the explanation is a member of the line, and there only with --explain")
    func json() throws {
        let scratch = try CompassProgram()
        defer { scratch.remove() }
        let file = Checkout.sample("h264.mp4")
        let asked = try scratch.run(["thumb", "--explain", "--json", file])
        let attempts = try #require(asked.json[0]["explanation"]?["attempts"]?.array)
        let video = try #require(attempts.first { $0["renderer"]?.string == "compass-render-video" })
        #expect(video["outcome"]?.string == "rendered")
        let topics = video["notes"]?.array?.compactMap { $0["topic"]?.string } ?? []
        #expect(Set(topics).isSuperset(of: ["decoder", "orientation", "colour", "frame", "shrink", "limits"]))
        #expect((video["steps"]?["search"]?.number ?? 0) > 0)
        #expect((video["processorTime"]?.number ?? 0) > 0)
        #expect(asked.standardError.isEmpty)
        let plain = try scratch.run(["thumb", "--force", "--json", file])
        #expect(plain.json[0]["explanation"] == nil)
    }

    @Test("The explanation names the cache for a hit, and the failed renderer and its reason for a failure")
    func cachedAndFailed() throws {
        let scratch = try CompassProgram()
        defer { scratch.remove() }
        let file = Checkout.sample("h264.mp4")
        try scratch.run(["thumb", file])
        let cached = try scratch.run(["thumb", "--explain", file])
        #expect(cached.standardError.contains("nothing was opened"))
        #expect(!cached.standardError.contains("compass-render-video"))
        let failed = try scratch.run(["thumb", "--explain", Checkout.sample("password.pdf")])
        #expect(failed.status == 1)
        #expect(failed.standardError.contains("failed: encrypted"))
    }
}
