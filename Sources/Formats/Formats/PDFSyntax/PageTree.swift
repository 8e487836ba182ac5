package import Media

/// A document's page tree (ISO 32000-1, 7.7.3).
package struct PageTree {
    /// The object number of the root node.
    package let root: Int
    /// The entries of the root node.
    package let rootEntries: PDFDictionary

    /// A page object of the tree.
    package struct Page {
        /// The object number.
        package let number: Int
        /// The page's own entries.
        package let entries: PDFDictionary
        /// The entries of the nodes above the page, from the root down.
        fileprivate let ancestors: [PDFDictionary]

        /// The value of an inheritable attribute (7.7.3.4): the page's own value or that of the nearest node above it.
        package func attribute(_ key: String) -> PDFObject? {
            entries[key] ?? ancestors.last { $0[key] != nil }?[key]
        }
    }

    /// The most nodes read to find a page: a bound on the cost of a hostile tree.
    private static let maximumStepCount = 1024
    private static let maximumDepth = 64
    /// The most nodes read to count the pages.
    private static let maximumNodeCount = 200_000

    /// The tree of a document catalogue; `nil` if `/Pages` is not a node with `/Kids`.
    package init?(_ catalogue: PDFDictionary, _ objects: inout IndirectObjects) throws(Failure) {
        guard let root = catalogue["/Pages"]?.reference, let entries = try objects.object(root)?.dictionary,
            entries["/Kids"] != nil
        else { return nil }
        self.root = root
        rootEntries = entries
    }

    /// The number of pages by the root's `/Count`, as an integer; `nil` if that is not a number.
    package var statedCount: Int? { rootEntries["/Count"]?.number.flatMap { Int(exactly: $0.rounded(.towardZero)) } }

    /// The page at an index; `nil` if a node is damaged, or the tree is too large to find the page in few steps.
    package func page(at index: Int, _ objects: inout IndirectObjects) throws(Failure) -> Page? {
        var ancestors = [rootEntries]
        var (remaining, steps) = (index, 0)
        while let node = ancestors.last, ancestors.count < Self.maximumDepth {
            guard let kids = try objects.resolved(node["/Kids"])?.elements else { return nil }
            var next: PDFDictionary?
            // A node with as many kids as pages has only pages as kids: the others need not be read.
            let isFlat = node["/Count"]?.integer == kids.count && remaining < kids.count
            for kid in isFlat ? kids[remaining...] : kids[...] {
                steps += 1
                guard steps < Self.maximumStepCount, let number = kid.reference else { return nil }
                guard let entries = try objects.object(number)?.dictionary else { continue }
                if entries["/Kids"] == nil {
                    if isFlat || remaining == 0 { return Page(number: number, entries: entries, ancestors: ancestors) }
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

    /// The number of pages that the tree leads to, whatever `/Count` says. A node listed twice counts once.
    package func countedPages(_ objects: inout IndirectObjects) throws(Failure) -> Int {
        var (pageCount, nodeCount) = (0, 0)
        var known: Set<Int> = [root]
        var kids: [PDFObject] = try objects.resolved(rootEntries["/Kids"])?.elements ?? []
        while let kid = kids.popLast(), nodeCount < Self.maximumNodeCount {
            nodeCount += 1
            guard let number = kid.reference, let entries = try objects.object(number)?.dictionary else { continue }
            if entries["/Kids"] == nil {
                pageCount += 1
            } else if known.insert(number).inserted {
                kids += try objects.resolved(entries["/Kids"])?.elements ?? []
            }
        }
        return pageCount
    }
}
