internal import Formats
internal import Media

/// The annotations of pages that have more than Poppler accepts: Poppler does not open such a page, but other viewers
/// show it.
enum Annotations {
    /// Poppler's limit (`Page.cc`).
    private static let maximumCount = 10_000
    /// The maximum number of annotations read: a limit on the cost of a hostile page.
    private static let maximumReadCount = 200_000

    /// An array of the first annotations that have an appearance; `nil` if Poppler accepts the page's own array.
    static func reduced(_ annotations: PDFObject?, _ objects: inout IndirectObjects) throws(Failure) -> PDFObject? {
        guard let all = try objects.resolved(annotations)?.elements, all.count > maximumCount else { return nil }
        var kept: [PDFObject] = []
        for annotation in all.prefix(maximumReadCount) where kept.count < maximumCount {
            guard let entries = try objects.resolved(annotation)?.dictionary else { continue }
            // Viewers draw nothing for a link without an appearance stream.
            if entries["/AP"] != nil || entries["/Subtype"]?.name != "/Link" { kept.append(annotation) }
        }
        var text = Array("[".utf8)
        for annotation in kept {
            text += annotation.bytes
            text.append(UInt8(ascii: " "))
        }
        return PDFObject((text + "]".utf8)[...])
    }
}
