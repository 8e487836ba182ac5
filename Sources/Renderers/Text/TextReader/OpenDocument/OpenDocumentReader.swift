internal import Formats
internal import Media

/// Reads the text of an OpenDocument text (ODF 1.3 part 3): headers first, then the body, notes and footers.
enum OpenDocumentReader {
    private static let content = "content.xml"
    private static let styles = "styles.xml"
    private static let manifest = "meta-inf/manifest.xml"

    /// - Throws: `corrupt`, `encrypted`, `tooLarge`.
    static func text(of source: BoundedSource) throws(Failure) -> DocumentText {
        guard let archive = try PackageContent(source), archive.has(content) else {
            throw Failure(.corrupt, detail: "\(content) is missing")
        }
        if archive.has(manifest) {
            let manifest = OpenDocumentManifest()
            try read(Self.manifest, in: archive, limit: 16 << 20, by: manifest)
            if manifest.isEncrypted { throw Failure(.encrypted) }
        }
        let body = OpenDocumentParagraphs(.body)
        try read(content, in: archive, limit: mostBytes, by: body)
        let pages = OpenDocumentParagraphs(.pageStyles)
        // Without this part, a document has neither headers nor footers.
        if archive.has(styles) { try? read(styles, in: archive, limit: mostBytes, by: pages) }
        var all = TextCollector()
        add(pages.headers, to: &all)
        all.add(part: body.text)
        add(pages.footers, to: &all)
        return all.text
    }

    private static let mostBytes = 64 << 20

    /// Appends the non-empty paragraphs of headers or footers, each once.
    private static func add(_ paragraphs: [TextParagraph], to all: inout TextCollector) {
        var known: Set<String> = []
        all.add(
            part: paragraphs.filter { paragraph in
                !paragraph.text.allSatisfy(\.isWhitespace) && known.insert(paragraph.text).inserted
            })
    }

    private static func read(
        _ name: String, in archive: PackageContent, limit: Int, by handler: some XMLHandler
    ) throws(Failure) {
        let reader = try ExpatReader(handler)
        try archive.read(name, limit: limit) { piece throws(Failure) in try reader.read(piece) }
        try reader.finish()
    }
}

/// Whether a package's manifest says that its content is encrypted (ODF 1.3 part 2, 4.8.1).
final class OpenDocumentManifest: XMLHandler {
    static let namespaces = ["urn:oasis:names:tc:opendocument:xmlns:manifest:1.0": "manifest"]

    private(set) var isEncrypted = false
    private var isContent = false

    var isFinished: Bool { isEncrypted }

    func begin(_ name: String, _ attributes: XMLAttributes) {
        if name == "manifest:file-entry" {
            isContent = ["content.xml", "encrypted-package"].contains(attributes["manifest:full-path"])
        } else if name == "manifest:encryption-data", isContent {
            isEncrypted = true
        }
    }

    func end(_ name: String) {}

    func add(_ characters: UnsafeBufferPointer<UInt8>) {}
}
