/// The end that a document lost: a trailer, made from the objects that are left of a file cut off before its own.
///
/// Poppler finds the objects of a file without a cross-reference table by itself, but not its catalogue: only a trailer names
/// it (ISO 32000-1, 7.5.5). MuPDF looks for the catalogue as this does; and where that or its page tree is lost too,
/// the pages that are left make a new tree, in the file's order.
package struct RecoveredTrailer {
    /// What has to follow the file's bytes. An object that the cut left open is closed first.
    package let bytes: [UInt8]

    /// `nil` where nothing is left to open: no catalogue and no page, or those that are left may be encrypted or lie in
    /// object streams. How a document is encrypted is lost with its trailer.
    package init?(of file: borrowing RawSpan) {
        var objects = PDFObjectScan()
        objects.read(file)
        guard !objects.isEncrypted, let end = Self.end(for: objects) else { return nil }
        bytes = Array("\nendstream\nendobj\n\(end)\n%%EOF\n".utf8)
    }

    private static func end(for objects: PDFObjectScan) -> String? {
        let free = objects.largestNumber + 1
        if let catalogue = objects.catalogue, let tree = catalogue.tree, objects.trees.contains(tree) {
            return "trailer\n<</Size \(free)/Root \(catalogue.number) 0 R>>"
        }
        guard !objects.pages.isEmpty else { return nil }
        let kids = objects.pages.map { "\($0) 0 R" }.joined(separator: " ")
        return """
            \(free) 0 obj
            <</Type/Pages/Kids[\(kids)]/Count \(objects.pages.count)>>
            endobj
            \(free + 1) 0 obj
            <</Type/Catalog/Pages \(free) 0 R>>
            endobj
            trailer
            <</Size \(free + 2)/Root \(free + 1) 0 R>>
            """
    }
}
