internal import Linux
internal import Media

/// One collection: walks the cache, decides which files to remove, and removes them, least recently used first.
///
/// It is safe alongside readers and writers. A record is removed before its rendition, so a reader that loses the race
/// sees a miss. A writer that finds its folder gone creates it again. A file that a writer may still commit is younger
/// than an hour and stays.
struct Collector {
    let folder: CacheFolder
    private let now: Int64
    private var report = CollectionReport()
    /// Removed in any case.
    private var dropped: [Removal] = []
    /// Removed as far as the budget requires.
    private var evictable: [Removal] = []

    /// Files that are removed together, in this order.
    private struct Removal {
        enum Kind { case rendition, failure, text, facts, statEntry, leftover, temporary, lock }
        let kind: Kind
        let places: [String]
        var byteCount: Int64
        /// The last use, nanoseconds since 1970.
        let recency: Int64
        /// The entry's folder (its place), removed if it is empty.
        let entry: String?

        /// The order of eviction: an entry's facts after its renditions.
        static func < (first: Removal, second: Removal) -> Bool {
            (first.recency, first.kind == .facts ? 1 : 0) < (second.recency, second.kind == .facts ? 1 : 0)
        }
    }

    /// The maximum time from writing a file to committing it: after that, its writer has died.
    static let leftoverAge: Int64 = 3600 * 1_000_000_000

    /// The age from which an unused stat entry is removed: its file is gone or changed.
    private static let statEntryAge: Int64 = 90 * 86400 * 1_000_000_000

    /// A tenth below the budget, so that the next store does not need another collection.
    static func target(for budget: Int64) -> Int64 { budget - budget / 10 }

    init(folder: CacheFolder) {
        self.folder = folder
        now = folder.now()
    }

    /// Collects, or only counts what would be removed.
    ///
    /// - Parameter budget: bytes on disk.
    mutating func collect(budget: Int64, isDryRun: Bool) -> CollectionReport {
        scan()
        report.byteCountAfter = report.byteCountBefore
        for removal in dropped { carryOut(removal, isDryRun) }
        if report.byteCountAfter > budget {
            evictable.sort(by: <)
            for removal in evictable where report.byteCountAfter > Self.target(for: budget) {
                carryOut(removal, isDryRun)
            }
        }
        return report
    }
}

extension Collector {
    private mutating func scan() {
        var foreign = ForeignFiles()
        let scan = EntryScan(folder: folder, noteForeign: { [folder] in foreign.note(folder.path($0)) })
        var entries: [EntryScan.Entry] = []
        var byteCount = scan.entries { entries.append($0) }
        for entry in entries { classify(entry) }
        byteCount += entries.reduce(0) { $0 + $1.allocatedByteCount }
        byteCount += scan.statEntries { place, file in
            byteCount += file.status.allocatedByteCount
            classify(statEntry: file, at: place)
        }
        for place in [CacheLayout.temporary, CacheLayout.privateTemporary, CacheLayout.locks] {
            for file in scan.files(in: place, place == CacheLayout.locks ? CacheLayout.isLock : CacheLayout.isTemporary)
            {
                byteCount += file.status.allocatedByteCount
                classify(leftBehind: file, in: place)
            }
        }
        report.foreign = foreign
        report.byteCountBefore = byteCount
    }

    private mutating func classify(_ entry: EntryScan.Entry) {
        let first = evictable.count
        for (_, recipe) in entry.recipes { classify(recipe, of: entry) }
        for text in entry.texts { evictable.append(removal(.text, [text], of: entry, recency: text.lastUse)) }
        if let facts = entry.facts {
            // Removed with the last of the entry's renditions; if there are none, by its own time.
            let recency = evictable[first...].map(\.recency).max() ?? facts.lastUse
            evictable.append(removal(.facts, [facts], of: entry, recency: recency))
        }
        // The folder counts with the file that is removed last.
        if let last = evictable.indices[first...].max(by: { evictable[$0] < evictable[$1] }) {
            evictable[last].byteCount += entry.byteCount
        } else {
            dropped.append(
                Removal(kind: .leftover, places: [], byteCount: entry.byteCount, recency: 0, entry: entry.place))
        }
    }

    private mutating func classify(_ recipe: EntryScan.RecipeFiles, of entry: EntryScan.Entry) {
        guard let record = recipe.record else { return drop(orphans: recipe.renditions, of: entry) }
        if recipe.renditions.count == 1 {
            // The usual pair; look-ups and verifications check whether they belong together.
            let recency = recipe.renditions[0].lastUse
            return evictable.append(removal(.rendition, [record] + recipe.renditions, of: entry, recency: recency))
        }
        switch readRecord("\(entry.place)/\(record.name)") {
        case .rendition(let content):
            let suffix = ".\(content.format.fileExtension)"
            let own = recipe.renditions.filter { $0.name.hasSuffix(suffix) }
            drop(orphans: recipe.renditions.filter { !$0.name.hasSuffix(suffix) }, of: entry)
            guard let rendition = own.first else {
                return dropped.append(removal(.leftover, [record], of: entry, recency: 0))
            }
            evictable.append(removal(.rendition, [record, rendition], of: entry, recency: rendition.lastUse))
        case .failure(let stored):
            drop(orphans: recipe.renditions, of: entry)
            let failure = removal(.failure, [record], of: entry, recency: record.lastUse)
            if stored.isExpired(at: now) { dropped.append(failure) } else { evictable.append(failure) }
        case nil: dropped.append(removal(.leftover, [record] + recipe.renditions, of: entry, recency: 0))
        }
    }

    private func readRecord(_ place: String) -> EntryRecord? {
        guard let contents = try? folder.files.read(place, in: folder.root, limit: SealedRecord.longest) else {
            return nil
        }
        return EntryRecord.parse(contents.bytes)?.record
    }

    private mutating func drop(orphans: [EntryScan.File], of entry: EntryScan.Entry) {
        for file in orphans where now - file.lastChange > Self.leftoverAge {
            dropped.append(removal(.leftover, [file], of: entry, recency: 0))
        }
    }

    private mutating func classify(statEntry file: EntryScan.File, at place: String) {
        let removal = Removal(
            kind: .statEntry, places: [place], byteCount: file.status.allocatedByteCount, recency: file.lastUse,
            entry: nil)
        if now - file.lastUse > Self.statEntryAge { dropped.append(removal) } else { evictable.append(removal) }
    }

    private mutating func classify(leftBehind file: EntryScan.File, in place: String) {
        guard now - file.lastChange > Self.leftoverAge else { return }
        let kind: Removal.Kind = place == CacheLayout.locks ? .lock : .temporary
        dropped.append(
            Removal(
                kind: kind, places: ["\(place)/\(file.name)"],
                byteCount: file.status.allocatedByteCount, recency: 0, entry: nil))
    }

    private func removal(
        _ kind: Removal.Kind, _ files: [EntryScan.File], of entry: EntryScan.Entry, recency: Int64
    ) -> Removal {
        Removal(
            kind: kind, places: files.map { "\(entry.place)/\($0.name)" },
            byteCount: files.reduce(0) { $0 + $1.status.allocatedByteCount }, recency: recency, entry: entry.place)
    }
}

extension Collector {
    private mutating func carryOut(_ removal: Removal, _ isDryRun: Bool) {
        // A file that cannot be removed still takes up its bytes.
        guard isDryRun || remove(removal) else { return }
        report.byteCountAfter -= removal.byteCount
        switch removal.kind {
        case .rendition: report.evictedRenditions += 1
        case .failure: report.droppedFailures += 1
        case .text: report.evictedTexts += 1
        case .statEntry: report.droppedStatEntries += 1
        case .leftover: report.removedLeftovers += removal.places.count
        case .temporary, .lock: report.removedTemporaries += 1
        case .facts: break
        }
    }

    /// Removes the files in order, then their folder if it is empty; `false` if one stays.
    private func remove(_ removal: Removal) -> Bool {
        for place in removal.places {
            // A held lock stays; an available one is removed by releasing it.
            if removal.kind == .lock { return LockFile.isLeftBehind(place, in: folder) }
            guard (try? folder.removeIfThere(place)) != nil else { return false }
        }
        if let entry = removal.entry { folder.removeEmptyFolders(from: entry) }
        return true
    }
}

extension EntryScan.File {
    /// When the file was last used: its access time, or its creation time if that is later (a copied cache).
    fileprivate var lastUse: Int64 { max(status.accessed, status.modified) }
}
