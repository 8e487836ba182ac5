import CLinux
import Linux
import Media
import TestDeadline
import Testing
import Thumbnailer

@Suite("Pages without words, and a recogniser that is away", .deadline)
struct RecognitionTests {
    /// A page that is a picture, of a machine whose recogniser is this program.
    private static func page(
        _ engine: FakeEngine, recogniser script: String?, of file: String = "pages 1 wordless"
    ) throws -> PageText {
        let program = "\(engine.folder)/libexec/\(RendererClass.recognition.programName)"
        unlink(program)
        if let script { try Descriptor.open(program, O_WRONLY | O_CREAT, mode: 0o755).write(Array(script.utf8)) }
        let source = try engine.source("\(file) as application/pdf")
        return try engine.thumbnailer().text(of: source, page: 0)
    }

    @Test("Where no recogniser is installed, the page stays without words, and a warning says so")
    func missing() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        #expect(try Self.page(engine, recogniser: nil).awaitsRecognition)
        #expect(engine.warningCount == 1)
    }

    @Test("A stamp over a picture stays where no recogniser is installed, and awaits one; a page of words does not")
    func stamped() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let page = try Self.page(engine, recogniser: nil, of: "pages 1 stamped")
        #expect(page.text == "page" && page.awaitsRecognition && engine.warningCount == 1)
        let other = try Self.page(engine, recogniser: nil, of: "pages 1")
        #expect(other.text == "page" && !other.awaitsRecognition && engine.warningCount == 1)
    }

    @Test("A recogniser that cannot be reached for a moment is a failure, which another try may mend")
    func passing() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        // The host gives up a program that dies at four starts in a row.
        let script = """
            #!/bin/sh
            echo start >> '\(engine.folder)/starts'
            [ "$(wc -l < '\(engine.folder)/starts')" -gt 4 ] || exit 1
            exec '\(engine.folder)/libexec/fake' "$@"

            """
        do {
            _ = try Self.page(engine, recogniser: script)
            Issue.record("the page counts as one without words")
        } catch {
            #expect((error as? Failure)?.code == .unavailable, "\(error)")
        }
        #expect(engine.warningCount == 0)
    }
}
