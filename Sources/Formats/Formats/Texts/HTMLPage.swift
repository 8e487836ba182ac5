/// Recognises HTML by its first tag, as browsers do (WHATWG, MIME Sniffing, 7.1).
enum HTMLPage {
    private static let tags: Set<String> = [
        "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b", "body", "br", "p",
        "meta", "link", "base", "center", "frameset", "object", "embed", "form", "img",
    ]

    /// Whether a text with this beginning is a page.
    static func isOne(_ opening: MarkupOpening) -> Bool {
        if opening.documentType == "html" { return true }
        guard let root = opening.root else { return false }
        // In XML only the root of XHTML counts: other vocabularies have tables and titles too.
        return opening.hasXMLDeclaration ? root.localName == "html" : tags.contains(root.localName.lowercased())
    }
}
