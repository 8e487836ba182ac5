import ArchiveBuilding

/// A small Word document in Office Open XML.
struct WordPackage {
    /// What stands in `w:body`.
    var body = ""
    var styles: String?
    /// Further parts by their names in `word/`, with the kind of the relationship to each.
    var parts: [(name: String, kind: String, content: String)] = []
    var isDeflated = true

    init(_ body: String) { self.body = body }

    static let names = """
        xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" \
        xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" \
        xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" \
        xmlns:v="urn:schemas-microsoft-com:vml"
        """

    func bytes() -> [UInt8] {
        let type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        func relationships(_ all: [(id: String, kind: String, target: String)]) -> String {
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
                + all.map { "<Relationship Id=\"\($0.id)\" Type=\"\(type)/\($0.kind)\" Target=\"\($0.target)\"/>" }
                .joined()
                + "</Relationships>"
        }
        var all = parts
        if let styles { all.append(("styles.xml", "styles", "<w:styles \(Self.names)>\(styles)</w:styles>")) }
        let files = [
            ZipBuilder.File("_rels/.rels", relationships([("r1", "officeDocument", "word/document.xml")])),
            ZipBuilder.File(
                "word/document.xml",
                "<?xml version=\"1.0\"?><w:document \(Self.names)><w:body>\(body)</w:body></w:document>",
                isDeflated: isDeflated),
            ZipBuilder.File(
                "word/_rels/document.xml.rels",
                relationships(all.enumerated().map { ("p\($0.offset)", $0.element.kind, $0.element.name) })),
        ]
        return ZipBuilder(files + all.map { ZipBuilder.File("word/\($0.name)", $0.content) }).bytes()
    }

    /// A paragraph with this text.
    static func paragraph(_ text: String, _ properties: String = "") -> String {
        "<w:p>\(properties.isEmpty ? "" : "<w:pPr>\(properties)</w:pPr>")<w:r><w:t xml:space=\"preserve\">\(text)</w:t></w:r></w:p>"
    }

    static func part(_ element: String, _ content: String) -> String {
        "<w:\(element) \(names)>\(content)</w:\(element)>"
    }
}
