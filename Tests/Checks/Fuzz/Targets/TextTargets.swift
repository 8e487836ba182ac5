import Formats
import Media
import Rendering
import TextReader
import Wire

/// The readers of documents' text. What they give keeps to its bounds, is the same each time, and passes as the host reads it.
enum TextTargets {
    /// The bytes are the parts of a Word document, each behind a byte of zero, which XML has not.
    static func openXML(_ bytes: [UInt8]) throws(Broken) {
        let names = [
            "word/document.xml", "word/_rels/document.xml.rels", "word/styles.xml", "word/header1.xml",
            "word/footnotes.xml",
        ]
        try read(package(names, bytes), as: .wordOpenXML)
    }

    /// As `openXML`, of an OpenDocument text.
    static func openDocument(_ bytes: [UInt8]) throws(Broken) {
        try read(package(["content.xml", "styles.xml", "META-INF/manifest.xml"], bytes), as: openDocumentText)
    }

    static func richText(_ bytes: [UInt8]) throws(Broken) { try read(bytes, as: .rtf) }

    static func word(_ bytes: [UInt8]) throws(Broken) { try read(bytes, as: .word) }

    /// A package with as many of these parts as there are.
    private static func package(_ names: [String], _ bytes: [UInt8]) -> [UInt8] {
        let parts = bytes.split(separator: 0, maxSplits: names.count - 1, omittingEmptySubsequences: false)
        return StoredZip.archive(zip(names, parts).map { (key: $0, value: $1) })
    }

    private static let openDocumentText = MediaType(rawValue: "application/vnd.oasis.opendocument.text")

    // Nothing changes it once it is prepared.
    private nonisolated(unsafe) static let reader: TextReader? = {
        var reader = try? TextReader(as: .text)
        reader?.prepare(for: .rtf)
        return reader
    }()

    private static func read(_ bytes: [UInt8], as type: MediaType) throws(Broken) {
        guard let source = InMemory.source(bytes) else { return }
        let text = try text(of: source, as: type)
        try holds(try self.text(of: source, as: type) == text, "a text that is another one the second time")
        guard let text else { return }
        try holds(text.paragraphs.count <= DocumentText.mostParagraphs, "\(text.paragraphs.count) paragraphs")
        let byteCount = text.paragraphs.reduce(0) { $0 + $1.text.utf8.count }
        try holds(byteCount <= DocumentText.longestText, "a text of \(byteCount) bytes")
        // The host refuses pages and cells out of their bounds.
        guard let received = try? DocumentText(parsing: text.bytes) else {
            throw Broken("a text that the host refuses")
        }
        try holds(received.paragraphs.count == text.paragraphs.count, "paragraphs that are lost on their way")
        try holds(received.isCut == text.isCut, "a text that is cut on its way")
        try holds((try? DocumentText(parsing: received.bytes)) == received, "a text that changes on its way")
    }

    /// The text, or `nil` where the reader refuses the file as such files are.
    private static func text(of source: Source, as type: MediaType) throws(Broken) -> DocumentText? {
        do throws(Failure) {
            return try reader?.text(of: source, as: type)
        } catch {
            try holds([.corrupt, .encrypted, .tooLarge].contains(error.code), "a document that is \(error.code)")
            return nil
        }
    }
}
