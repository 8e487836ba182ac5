internal import Media

/// How a marked-up text begins: what stands before its first tag, and that tag.
struct MarkupOpening: Equatable {
    private(set) var hasXMLDeclaration = false
    /// The document type declaration's name, in lower case.
    private(set) var documentType: String?
    /// The first tag; `nil` where other text comes before it.
    private(set) var root: MarkupTag?

    /// Reads up to the first tag or text. `bytes` are in ASCII as far as markup goes.
    init(_ bytes: Bytes) {
        // The byte order mark of UTF-8.
        var reader = MarkupReader(bytes.has([0xEF, 0xBB, 0xBF]) ? bytes.dropping(3) : bytes)
        while let token = reader.next() {
            switch token {
            case .comment, .end: continue
            case .instruction(let name): hasXMLDeclaration = hasXMLDeclaration || name == "xml"
            case .documentType(let name): documentType = documentType ?? name.lowercased()
            case .start(let tag):
                root = tag
                return
            case .text: return
            }
        }
    }

    /// What the opening says for certain: SVG, HTML with XHTML, or XML.
    var mediaType: MediaType? {
        if HTMLPage.isOne(self) { return .html }
        if root?.localName == "svg" { return .svg }
        return hasXMLDeclaration ? Self.xml : nil
    }

    static let xml = MediaType(rawValue: "text/xml")
}
