internal import Media

/// Reads the next part of a list or a file: empty if nothing was found yet, so that others get their turn; `nil` at the
/// end, and from then on.
typealias ArchivePages<Element> = () throws -> [Element]?

/// A file that is to be added to an archive.
struct ArchiveEntry {
    /// The file's path in the archive.
    let name: String
    /// The file's time in the archive.
    let moment: Instant
    /// Opens the file; `nil` if the archive omits it.
    let open: () throws -> ArchivePages<UInt8>?
}

/// Lists that are read page by page.
enum ArchivePaging {
    /// A list that is read as one page.
    static func page<Element>(_ all: @escaping () throws -> [Element]) -> ArchivePages<Element> {
        pages(of: Never.self) { _ in (try all(), nil) }
    }

    /// A list whose pages are read by the place after which they begin.
    static func pages<Element, Place>(
        of places: Place.Type, _ page: @escaping (Place?) throws -> (elements: [Element], next: Place?)
    ) -> ArchivePages<Element> {
        var (place, isOver) = (Place?.none, false)
        return {
            if isOver { return nil }
            let found = try page(place)
            (place, isOver) = (found.next, found.next == nil)
            return found.elements
        }
    }

    /// Lists one after another.
    static func joined<Element>(_ lists: [ArchivePages<Element>]) -> ArchivePages<Element> {
        var rest = lists[...]
        return {
            while let list = rest.first {
                if let page = try list() { return page }
                rest.removeFirst()
            }
            return nil
        }
    }
}
