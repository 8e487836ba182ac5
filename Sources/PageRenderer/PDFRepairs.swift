internal import Media

/// What a sound file says in a way that Poppler does not understand, though other viewers do, in words that it does.
struct PDFRepairs {
    /// Objects to be read in the place of those with the same numbers.
    private(set) var changes: [(number: Int, value: PDFPiece)] = []

    /// Looks at what matters for one page: some kilobytes of the file.
    init(for pageIndex: Int, _ objects: inout PDFObjects) throws(Failure) {
        guard let root = objects.trailer["/Root"]?.reference, let catalogue = try objects.object(root)?.dictionary else {
            return
        }
        if let tree = try PDFPageTree(catalogue, &objects) {
            try addCount(tree, &objects)
            if let page = try tree.page(at: pageIndex, &objects) { try add(page, &objects) }
        }
        if let change = try PDFLayers.change(root, catalogue, &objects) { changes.append(change) }
    }

    /// An update as ISO 32000-1, 7.5.6 has it, to follow the file's last byte; `nil` where nothing needs one.
    func update(of objects: PDFObjects, after byteCount: Int) -> [UInt8]? {
        if changes.isEmpty { return nil }
        var bytes: [UInt8] = [10]
        var table = "xref\n"
        let start = byteCount - Int(objects.headerPlace)
        for change in changes {
            table += "\(change.number) 1\n\(Self.padded(start + bytes.count, 10)) 00000 n \n"
            bytes += "\(change.number) 0 obj\n".utf8
            bytes += change.value.bytes
            bytes += "\nendobj\n".utf8
        }
        var trailer = PDFDictionary(entries: [])
        for key in ["/Root", "/Size", "/Encrypt", "/ID", "/Info"] { trailer[key] = objects.trailer[key] }
        trailer["/Prev"] = PDFPiece("\(objects.tablePlace)")
        let place = start + bytes.count
        bytes += table.utf8
        bytes += "trailer\n".utf8
        bytes += trailer.piece.bytes
        return bytes + "\nstartxref\n\(place)\n%%EOF\n".utf8
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// Poppler takes a /Count for no pages that is missing, not positive, or larger than the number of objects. PDFium counts
    /// for itself then.
    private mutating func addCount(_ tree: PDFPageTree, _ objects: inout PDFObjects) throws(Failure) {
        if let count = tree.claimedCount, count > 0, count <= objects.trailer["/Size"]?.integer ?? 0 { return }
        let count = try tree.reachableCount(&objects)
        if count == 0 { return }
        var entries = tree.rootEntries
        entries["/Count"] = PDFPiece("\(count)")
        changes.append((tree.root, entries.piece))
    }

    private mutating func add(_ page: PDFPageTree.Page, _ objects: inout PDFObjects) throws(Failure) {
        var entries = page.entries
        var hasChanged = false
        if let rotation = try objects.resolved(page.attribute("/Rotate")), rotation.integer == nil,
            let angle = rotation.number, let whole = Int(exactly: angle)
        {
            // ISO 32000-1, table 30 wants an integer; PDFium and MuPDF take 90.0 for one.
            entries["/Rotate"] = PDFPiece("\(whole)")
            hasChanged = true
        }
        let media = try box(page.attribute("/MediaBox"), &objects)
        let crop = try box(page.attribute("/CropBox"), &objects)
        if let media, let crop, !media.isEmpty, crop.intersection(media).isEmpty {
            // What lies outside is cut to the media box (ISO 32000-1, 14.11.2), and nothing would be left: it is passed over.
            entries["/CropBox"] = page.attribute("/MediaBox")
            hasChanged = true
        }
        if hasChanged { changes.append((page.number, entries.piece)) }
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
