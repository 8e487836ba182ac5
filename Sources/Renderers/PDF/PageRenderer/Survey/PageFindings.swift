internal import Formats
internal import Media

/// The findings from a document's own objects, before Poppler opens it. They are objects to be rewritten, which other
/// viewers understand and Poppler does not, and facts that decide how a page is drawn.
struct PageFindings {
    /// The objects to be rewritten.
    private(set) var changes: [IncrementalUpdate.Change] = []

    /// The page; `nil` if the page tree is damaged or too large.
    private(set) var page: PageTree.Page?
    /// The visible part of the page, and whether width and height are swapped; `nil` if the page's boxes are damaged.
    private(set) var shown: (rectangle: PDFRectangle, isOnItsSide: Bool)?
    /// The strips of a scanned page.
    private(set) var strips: ImageStrips?
    /// Whether all fonts that the page can use are embedded.
    private(set) var embedsItsFonts = false
    /// A feature of the page that only Splash draws correctly.
    private(set) var cairoGap: CairoGap?

    /// Reads the objects that matter for one page: a few kilobytes of the file.
    init(for pageIndex: Int, _ objects: inout IndirectObjects) throws(Failure) {
        guard let root = objects.trailer["/Root"]?.reference, let catalogue = try objects.object(root)?.dictionary
        else {
            return
        }
        if let tree = try PageTree(catalogue, &objects) {
            try addCount(tree, &objects)
            page = try tree.page(at: pageIndex, &objects)
            if let page {
                try add(page, &objects)
                strips = try ImageStrips(of: page, &objects)
                embedsItsFonts = try EmbeddedFonts.cover(page, &objects)
                try add(ResourceSurvey(of: page, objects), &objects)
            }
        }
        if let change = try OptionalContent.change(root, catalogue, &objects) {
            changes.append((change.number, change.value.bytes))
        }
    }

    /// Corrects a root's `/Count` that is missing, not positive, or larger than the number of objects: in that case
    /// Poppler opens no page, and PDFium counts the pages.
    private mutating func addCount(_ tree: PageTree, _ objects: inout IndirectObjects) throws(Failure) {
        if let count = tree.statedCount, count > 0, count <= objects.trailer["/Size"]?.integer ?? 0 { return }
        let count = try tree.countedPages(&objects)
        if count == 0 { return }
        var entries = tree.rootEntries
        entries["/Count"] = PDFObject("\(count)")
        changes.append((tree.root, PDFObject(entries).bytes))
    }

    private mutating func add(_ survey: ResourceSurvey, _ objects: inout IndirectObjects) throws(Failure) {
        cairoGap = survey.cairoGap
        // Poppler would decrypt the strings and streams of an update to an encrypted document.
        guard objects.trailer["/Encrypt"] == nil else { return }
        for number in survey.knockoutForms.sorted() {
            if let form = try KnockoutGroup.form(number, drawnBySplash: cairoGap != nil, &objects) {
                changes.append((number, form[...]))
            }
        }
    }

    private mutating func add(_ page: PageTree.Page, _ objects: inout IndirectObjects) throws(Failure) {
        var entries = page.entries
        var hasChanged = false
        let rotation = try objects.resolved(page.attribute("/Rotate"))
        let angle = rotation?.number ?? 0
        if let rotation, rotation.integer == nil, let whole = Int(exactly: angle) {
            // ISO 32000-1, table 30, requires an integer; PDFium and MuPDF accept 90.0 too.
            entries["/Rotate"] = PDFObject("\(whole)")
            hasChanged = true
        }
        let media = try rectangle(page.attribute("/MediaBox"), &objects)
        let crop = try rectangle(page.attribute("/CropBox"), &objects)
        if let media, angle.truncatingRemainder(dividingBy: 90) == 0 {
            let cut = crop?.intersection(media) ?? media
            shown = (cut.isEmpty ? media : cut, angle.truncatingRemainder(dividingBy: 180) != 0)
        }
        if let media, let crop, !media.isEmpty, crop.intersection(media).isEmpty {
            // The crop box is intersected with the media box (14.11.2). If nothing would be left, viewers ignore it.
            entries["/CropBox"] = page.attribute("/MediaBox")
            hasChanged = true
        }
        if let annotations = try Annotations.reduced(entries["/Annots"], &objects) {
            entries["/Annots"] = annotations
            hasChanged = true
        }
        if hasChanged { changes.append((page.number, PDFObject(entries).bytes)) }
    }

    private func rectangle(_ object: PDFObject?, _ objects: inout IndirectObjects) throws(Failure) -> PDFRectangle? {
        guard let elements = try objects.resolved(object)?.elements, elements.count >= 4 else { return nil }
        var corners: [Double] = []
        for element in elements.prefix(4) {
            guard let number = try objects.resolved(element)?.number else { return nil }
            corners.append(number)
        }
        return PDFRectangle(corners)
    }
}
