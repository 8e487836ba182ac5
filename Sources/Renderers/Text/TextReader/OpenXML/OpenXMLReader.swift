internal import Formats
internal import Media

/// Reads the text of a Word document in Office Open XML (ECMA-376 part 1, 17): header texts first, then the body,
/// footers and notes.
struct OpenXMLReader {
    private let archive: PackageContent
    private let relationships: OpenXMLRelationships
    private let styles: WordStyles
    /// The number of bytes of XML that may still be read, over all parts.
    private var byteCount = 96 << 20

    /// - Throws: `corrupt`, `encrypted`, `tooLarge`.
    static func text(of source: BoundedSource) throws(Failure) -> DocumentText {
        guard let archive = try PackageContent(source) else { throw Failure(.corrupt, detail: "no archive") }
        let main = try archive.mainPartName() ?? "word/document.xml"
        var reader = try OpenXMLReader(archive, main)
        return try reader.text(main)
    }

    private init(_ archive: PackageContent, _ main: String) throws(Failure) {
        self.archive = archive
        let relationships = OpenXMLRelationships(of: main)
        let name = relationships.partName
        if archive.has(name) { byteCount -= try Self.read(name, in: archive, limit: 4 << 20, by: relationships) }
        self.relationships = relationships
        let styles = WordStyles()
        // Without this part, headings are ordinary text.
        if let name = relationships.parts(of: "styles").first, archive.has(name) {
            byteCount -= (try? Self.read(name, in: archive, limit: 16 << 20, by: styles)) ?? 0
        }
        self.styles = styles
    }

    private mutating func text(_ main: String) throws(Failure) -> DocumentText {
        let body = try part(main)
        var shown: [String] = []
        for id in body.shownHeaders {
            guard let name = relationships.target(of: id), !shown.contains(name), shown.count < 64 else { continue }
            shown.append(name)
        }
        var all = TextCollector()
        try add(shown.filter(relationships.parts(of: "header").contains), to: &all)
        all.add(part: body.text)
        try add(shown.filter(relationships.parts(of: "footer").contains), to: &all)
        for kind in ["footnotes", "endnotes"] {
            for name in relationships.parts(of: kind).prefix(1) where archive.has(name) && !all.isFull {
                all.add(part: try part(name).text)
            }
        }
        return all.text
    }

    /// Appends the paragraphs of headers or footers, each text once: first, even and other pages often have the same
    /// text.
    private mutating func add(_ names: [String], to all: inout TextCollector) throws(Failure) {
        var known: Set<String> = []
        for name in names where archive.has(name) && !all.isFull {
            all.add(
                part: try part(name).text.text.paragraphs.filter { paragraph in
                    !paragraph.text.allSatisfy(\.isWhitespace) && known.insert(paragraph.text).inserted
                })
        }
    }

    /// The text of a part. A field that begins but never reaches its result hides nothing.
    private mutating func part(_ name: String) throws(Failure) -> WordParagraphs {
        let paragraphs = WordParagraphs(styles)
        byteCount -= try Self.read(name, in: archive, limit: byteCount, by: paragraphs)
        guard paragraphs.hasOpenField else { return paragraphs }
        let again = WordParagraphs(styles, ignoresFields: true)
        byteCount -= try Self.read(name, in: archive, limit: byteCount, by: again)
        return again
    }

    /// Reads a part of the archive.
    ///
    /// - Returns: the number of bytes that it has or that were read.
    private static func read(
        _ name: String, in archive: PackageContent, limit: Int, by handler: some XMLHandler
    ) throws(Failure) -> Int {
        let reader = try ExpatReader(handler)
        let count = try archive.read(name, limit: limit) { piece throws(Failure) in try reader.read(piece) }
        try reader.finish()
        return count
    }
}
