internal import Media

/// A document's page tree (ISO 32000-1, 7.7.3), walked by its /Kids.
struct PDFPageTree {
    /// The number of the root's object.
    let root: Int
    let rootEntries: PDFDictionary

    /// A page that was found: its object's number, its own entries, and those that it inherits.
    struct Page {
        let number: Int
        let entries: PDFDictionary
        fileprivate let inherited: [PDFDictionary]

        /// A page's own entry, or the nearest that it inherits.
        func attribute(_ key: String) -> PDFPiece? {
            entries[key] ?? inherited.last { $0[key] != nil }?[key]
        }
    }

    /// How many nodes are looked at on the way to a page: a bound on what a hostile tree costs.
    private static let mostSteps = 1024
    /// How many are looked at to count the pages.
    private static let mostNodes = 200_000

    /// `nil` where the catalogue names no tree with /Kids.
    init?(_ catalogue: PDFDictionary, _ objects: inout PDFObjects) throws(Failure) {
        guard let root = catalogue["/Pages"]?.reference, let entries = try objects.object(root)?.dictionary,
            entries["/Kids"] != nil
        else { return nil }
        self.root = root
        rootEntries = entries
    }

    /// What the root says of the number of pages; `nil` where that is no number.
    var claimedCount: Int? { rootEntries["/Count"]?.number.flatMap { Int(exactly: $0.rounded(.towardZero)) } }

    /// The page at an index; `nil` where the tree is not plain enough to find it in few steps.
    func page(at index: Int, _ objects: inout PDFObjects) throws(Failure) -> Page? {
        var ancestors = [rootEntries]
        var (remaining, steps) = (index, 0)
        while let node = ancestors.last, ancestors.count < 64 {
            guard let kids = try objects.resolved(node["/Kids"])?.elements else { return nil }
            var next: PDFDictionary?
            // Where a node has as many kids as pages, each of them is one.
            let isFlat = node["/Count"]?.integer == kids.count && remaining < kids.count
            for kid in isFlat ? kids[remaining...] : kids[...] {
                steps += 1
                guard steps < Self.mostSteps, let number = kid.reference else { return nil }
                guard let entries = try objects.object(number)?.dictionary else { continue }
                if entries["/Kids"] == nil {
                    if isFlat || remaining == 0 { return Page(number: number, entries: entries, inherited: ancestors) }
                    remaining -= 1
                } else if !isFlat, let count = entries["/Count"]?.integer, count >= 0, count <= remaining {
                    remaining -= count
                } else {
                    if isFlat { remaining = 0 }
                    next = entries
                    break
                }
            }
            guard let next else { return nil }
            ancestors.append(next)
        }
        return nil
    }

    /// How many pages can be reached, each place in the tree once.
    func reachableCount(_ objects: inout PDFObjects) throws(Failure) -> Int {
        var (pages, nodes) = (0, 0)
        var known: Set<Int> = [root]
        var open: [PDFPiece] = try objects.resolved(rootEntries["/Kids"])?.elements ?? []
        while let kid = open.popLast(), nodes < Self.mostNodes {
            nodes += 1
            guard let number = kid.reference, let entries = try objects.object(number)?.dictionary else { continue }
            if entries["/Kids"] == nil {
                pages += 1
            } else if known.insert(number).inserted {
                open += try objects.resolved(entries["/Kids"])?.elements ?? []
            }
        }
        return pages
    }
}
