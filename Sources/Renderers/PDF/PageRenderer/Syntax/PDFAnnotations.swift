internal import Media

/// A page's annotations, where there are more than Poppler takes: it refuses the page then, other viewers show it.
enum PDFAnnotations {
    /// As Poppler's `Page` has it.
    private static let most = 10_000
    /// How many are looked at: a bound on what a hostile page costs.
    private static let mostLookedAt = 200_000

    /// The array with those alone that can show something, the first of these; `nil` where there are few enough.
    static func fewer(_ annotations: PDFPiece?, _ objects: inout PDFObjects) throws(Failure) -> PDFPiece? {
        guard let all = try objects.resolved(annotations)?.elements, all.count > most else { return nil }
        var kept: [PDFPiece] = []
        for annotation in all.prefix(mostLookedAt) where kept.count < most {
            guard let entries = try objects.resolved(annotation)?.dictionary else { continue }
            // Viewers draw nothing for a link without an appearance.
            if entries["/AP"] != nil || entries["/Subtype"]?.name != "/Link" { kept.append(annotation) }
        }
        var text = Array("[".utf8)
        for annotation in kept {
            text += annotation.bytes
            text.append(UInt8(ascii: " "))
        }
        return PDFPiece((text + "]".utf8)[...])
    }
}
