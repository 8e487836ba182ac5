package import Documents
package import Media
internal import Objects

/// The entries of a folder that a list requests: files and folders, found in objects in the order of their paths.
package struct FolderEntries {
    private struct Entry {
        let name: [UInt8]
        /// `nil` for a folder.
        let file: StoredFile?

        var stored: Instant { file?.object.stored ?? Instant(microseconds: 0) }
    }

    private let folder: String
    private let listing: Listing
    /// The entries that match the list's search.
    private var found: [Entry] = []
    private var seenCount = 0
    /// The folder of the last object.
    private var lastFolder: [UInt8]?
    /// The rest of the last object's path, below the folder.
    private var lastRest: [UInt8] = []

    /// No entries yet.
    ///
    /// - Parameter folder: with a slash at its end; empty for the whole bucket.
    package init(of folder: String, _ listing: Listing) {
        self.folder = folder
        self.listing = listing
    }

    private static let slash = UInt8(ascii: "/")
    /// The most entries of a folder that are read.
    private static let mostSeen = 10_000

    private var wantedCount: Int { listing.offset + listing.limit }

    /// How many objects to read next: one more than wanted reveals the end of most lists.
    package var pageLength: Int { min(max(wantedCount - found.count + 1, 100), 1000) }

    /// Takes the next object in the order of paths.
    package mutating func add(_ object: StoredObject) {
        guard let text = object.path, let path = try? ObjectPath(text) else { return }
        lastRest = Array(text.utf8.dropFirst(folder.utf8.count))
        // Names are compared by their bytes.
        let name = Array(lastRest.prefix { $0 != Self.slash })
        let isFile = name.count == lastRest.count
        if !isFile {
            // The paths in a folder follow each other.
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

    /// The place from which to continue: other objects in the last object's folder are no further entries.
    package func place(behind place: StorePlace) -> StorePlace {
        let end = lastRest.firstIndex(of: Self.slash)
        guard let end else { return place }
        let last = "\(folder)\(String(decoding: lastRest[...end], as: UTF8.self))\u{10FFFF}"
        return place.key.utf8.lexicographicallyPrecedes(last.utf8) ? StorePlace(last) : place
    }

    /// Whether further objects do not change the answer, or no more may be read.
    package var isComplete: Bool {
        if seenCount >= Self.mostSeen || listing.limit == 0 { return true }
        guard !listing.sortsByTime, !listing.isDescending, found.count >= wantedCount else { return false }
        return isSettled(sorted[wantedCount - 1].name)
    }

    /// Whether no further folder belongs before an entry. In paths, a slash follows a folder's name, so the folder `a`
    /// comes after the file `a.txt` there.
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

    /// The entries within the list's offset and limit.
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
