internal import Media

/// The beginning of an XML or HTML text, up to its first tag.
struct MarkupOpening: Equatable {
    private(set) var hasXMLDeclaration = false
    /// The name in the document type declaration, in lower case.
    private(set) var documentType: String?
    /// The first tag; `nil` if character data precede it.
    private(set) var root: MarkupTag?

    /// Reads up to the first tag or character data.
    ///
    /// - Parameter bytes: in an encoding that extends ASCII.
    init(_ bytes: Bytes) {
        // Skips the byte order mark of UTF-8.
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

    /// HTML, SVG or XML; `nil` if the beginning proves none of them.
    var mediaType: MediaType? {
        if HTMLPage.isOne(self) { return .html }
        if root?.localName == "svg" { return .svg }
        return hasXMLDeclaration ? Self.xml : nil
    }

    static let xml = MediaType(rawValue: "text/xml")
}
