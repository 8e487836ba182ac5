internal import Media

/// What a look into a sound file's own tables finds: what it says in a way that Poppler does not understand, though other viewers
/// do, in words that it does; the strips that a page is made of; and whether it brings its fonts.
struct PDFFindings {
    /// Objects to be read in the place of those with the same numbers.
    private(set) var changes: [PDFUpdate.Change] = []

    /// The page, where the tree is plain enough to find it.
    private(set) var page: PDFPageTree.Page?
    /// What of the page is shown, where its boxes say so, and whether it is turned on its side then.
    private(set) var shown: (box: PDFBox, isOnItsSide: Bool)?
    /// The strips of a scanned page.
    private(set) var strips: PDFStrips?
    /// Whether the page can be drawn without a font of the machine.
    private(set) var bringsItsFonts = false
    /// What of the page only Splash shows.
    private(set) var cairoGap: CairoGap?

    /// Looks at what matters for one page: some kilobytes of the file.
    init(for pageIndex: Int, _ objects: inout PDFObjects) throws(Failure) {
        guard let root = objects.trailer["/Root"]?.reference, let catalogue = try objects.object(root)?.dictionary
        else {
            return
        }
        if let tree = try PDFPageTree(catalogue, &objects) {
            try addCount(tree, &objects)
            page = try tree.page(at: pageIndex, &objects)
            if let page {
                try add(page, &objects)
                strips = try PDFStrips(of: page, &objects)
                bringsItsFonts = try EmbeddedFonts.cover(page, &objects)
                try add(ResourceSurvey(of: page, objects), &objects)
            }
        }
        if let change = try PDFLayers.change(root, catalogue, &objects) {
            changes.append((change.number, change.value.bytes))
        }
    }

    /// Poppler takes a /Count for no pages that is missing, not positive, or larger than the number of objects. PDFium counts
    /// for itself then.
    private mutating func addCount(_ tree: PDFPageTree, _ objects: inout PDFObjects) throws(Failure) {
        if let count = tree.claimedCount, count > 0, count <= objects.trailer["/Size"]?.integer ?? 0 { return }
        let count = try tree.reachableCount(&objects)
        if count == 0 { return }
        var entries = tree.rootEntries
        entries["/Count"] = PDFPiece("\(count)")
        changes.append((tree.root, entries.piece.bytes))
    }

    private mutating func add(_ survey: ResourceSurvey, _ objects: inout PDFObjects) throws(Failure) {
        cairoGap = survey.cairoGap
        // What is added to an encrypted document would be taken for encrypted.
        guard objects.trailer["/Encrypt"] == nil else { return }
        for number in survey.knockoutForms.sorted() {
            if let form = try KnockoutGroup.form(number, drawnBySplash: cairoGap != nil, &objects) {
                changes.append((number, form[...]))
            }
        }
    }

    private mutating func add(_ page: PDFPageTree.Page, _ objects: inout PDFObjects) throws(Failure) {
        var entries = page.entries
        var hasChanged = false
        let rotation = try objects.resolved(page.attribute("/Rotate"))
        let angle = rotation?.number ?? 0
        if let rotation, rotation.integer == nil, let whole = Int(exactly: angle) {
            // ISO 32000-1, table 30 wants an integer; PDFium and MuPDF take 90.0 for one.
            entries["/Rotate"] = PDFPiece("\(whole)")
            hasChanged = true
        }
        let media = try box(page.attribute("/MediaBox"), &objects)
        let crop = try box(page.attribute("/CropBox"), &objects)
        if let media, angle.truncatingRemainder(dividingBy: 90) == 0 {
            let cut = crop?.intersection(media) ?? media
            shown = (cut.isEmpty ? media : cut, angle.truncatingRemainder(dividingBy: 180) != 0)
        }
        if let media, let crop, !media.isEmpty, crop.intersection(media).isEmpty {
            // What lies outside is cut to the media box (ISO 32000-1, 14.11.2), and nothing would be left: it is passed over.
            entries["/CropBox"] = page.attribute("/MediaBox")
            hasChanged = true
        }
        if let annotations = try PDFAnnotations.fewer(entries["/Annots"], &objects) {
            entries["/Annots"] = annotations
            hasChanged = true
        }
        if hasChanged { changes.append((page.number, entries.piece.bytes)) }
    }

    private func box(_ piece: PDFPiece?, _ objects: inout PDFObjects) throws(Failure) -> PDFBox? {
        guard let elements = try objects.resolved(piece)?.elements, elements.count >= 4 else { return nil }
        var sides: [Double] = []
        for element in elements.prefix(4) {
            guard let side = try objects.resolved(element)?.number else { return nil }
            sides.append(side)
        }
        return PDFBox(sides)
    }
}
