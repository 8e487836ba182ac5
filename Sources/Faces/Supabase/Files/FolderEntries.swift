package import Documents
package import Media
internal import Objects

/// The entries of a folder, as a list asks for them: files and folders, found in objects in the order of their paths.
package struct FolderEntries {
    private struct Entry {
        let name: [UInt8]
        /// `nil` for a folder.
        let file: StoredFile?

        var stored: Instant { file?.object.stored ?? Instant(microseconds: 0) }
    }

    private let folder: String
    private let listing: Listing
    /// Those that the list's search finds.
    private var found: [Entry] = []
    private var seenCount = 0
    /// The folder in which the last object lies.
    private var lastFolder: [UInt8]?
    /// What is left of the last object's path below the folder.
    private var lastRest: [UInt8] = []

    /// No entries yet.
    ///
    /// - Parameter folder: with a slash at its end; empty for the whole bucket.
    package init(of folder: String, _ listing: Listing) {
        self.folder = folder
        self.listing = listing
    }

    private static let slash = UInt8(ascii: "/")
    /// Of a folder that are looked at.
    private static let mostSeen = 10_000

    private var wantedCount: Int { listing.offset + listing.limit }

    /// How many objects to read next: with one more than is wanted, the end of most lists is seen.
    package var pageLength: Int { min(max(wantedCount - found.count + 1, 100), 1000) }

    /// Takes the next object in the order of paths.
    package mutating func add(_ object: StoredObject) {
        guard let text = object.path, let path = try? ObjectPath(text) else { return }
        lastRest = Array(text.utf8.dropFirst(folder.utf8.count))
        // Names are told apart by their bytes.
        let name = Array(lastRest.prefix { $0 != Self.slash })
        let isFile = name.count == lastRest.count
        if !isFile {
            // What lies in a folder has paths that follow each other.
            if name == lastFolder { return }
            lastFolder = name
        }
        seenCount += 1
        guard isFound(name) else { return }
        found.append(Entry(name: name, file: isFile ? StoredFile(object, at: path) : nil))
    }

    private func isFound(_ name: [UInt8]) -> Bool {
        let search = listing.search.lowercased()
        return search.isEmpty || String(decoding: name, as: UTF8.self).lowercased().hasPrefix(search)
    }

    /// The place from which to read on: what else lies in the last object's folder is no other entry.
    package func place(behind place: StorePlace) -> StorePlace {
        let end = lastRest.firstIndex(of: Self.slash)
        guard let end else { return place }
        let last = "\(folder)\(String(decoding: lastRest[...end], as: UTF8.self))\u{10FFFF}"
        return place.key.utf8.lexicographicallyPrecedes(last.utf8) ? StorePlace(last) : place
    }

    /// Whether the objects that follow change nothing in the answer, or more may not be read.
    package var isComplete: Bool {
        if seenCount >= Self.mostSeen || listing.limit == 0 { return true }
        guard !listing.sortsByTime, !listing.isDescending, found.count >= wantedCount else { return false }
        return isSettled(sorted[wantedCount - 1].name)
    }

    /// Whether no folder follows that belongs before an entry. Paths have a slash behind a folder's name: the folder `a` follows the file
    /// `a.txt` there.
    private func isSettled(_ name: [UInt8]) -> Bool {
        !name.indices.contains { end in
            name[end] < Self.slash && lastRest.lexicographicallyPrecedes(name[..<end] + [Self.slash])
        }
    }

    private var sorted: [Entry] {
        found.sorted { left, right in
            let isBefore =
                listing.sortsByTime && left.stored != right.stored
                ? left.stored < right.stored : left.name.lexicographicallyPrecedes(right.name)
            return isBefore != listing.isDescending
        }
    }

    /// The entries within the list's bounds.
    package var json: JSON {
        .array(
            sorted.dropFirst(listing.offset).prefix(listing.limit).map { entry in
                let name = String(decoding: entry.name, as: UTF8.self)
                return entry.file?.entry(named: name) ?? Self.folder(name)
            })
    }

    private static func folder(_ name: String) -> JSON {
        .object([
            "name": .string(name), "id": .null, "updated_at": .null, "created_at": .null, "last_accessed_at": .null,
            "metadata": .null,
        ])
    }
}
