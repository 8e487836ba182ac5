internal import Linux
internal import Media

/// Counts of a cache's content.
public struct CacheStatistics: Hashable, Sendable {
    /// Sources, including those under stat keys.
    public internal(set) var entries = 0
    /// Sources under stat keys.
    public internal(set) var localEntries = 0
    /// Records with a rendition.
    public internal(set) var renditions = 0
    /// Records of pages' texts, including failures to read them.
    public internal(set) var texts = 0
    /// Records without a rendition.
    public internal(set) var failures = 0
    /// Files in the stat index.
    public internal(set) var statEntries = 0
    /// Bytes on disk of all these, including their folders.
    public internal(set) var byteCount: Int64 = 0
    /// Damaged files that lookups have found since the cache was created.
    public internal(set) var damaged = 0
}

extension FolderCache {
    /// Counts the cache's content with a walk that opens no file.
    public func statistics() -> CacheStatistics {
        var statistics = CacheStatistics()
        let scan = EntryScan(folder: folder)
        statistics.byteCount += scan.entries { statistics.count($0) }
        statistics.byteCount += scan.statEntries { _, file in
            statistics.statEntries += 1
            statistics.byteCount += file.status.allocatedByteCount
        }
        let damaged = try? folder.files.status(of: CacheLayout.damaged, in: folder.root)
        statistics.damaged = Int(damaged?.byteCount ?? 0)
        return statistics
    }
}

extension CacheStatistics {
    fileprivate mutating func count(_ entry: EntryScan.Entry) {
        // A writer has just created the folder, or a collection is about to remove it.
        if entry.files.isEmpty { return }
        entries += 1
        if entry.isLocal { localEntries += 1 }
        texts += entry.texts.count
        byteCount += entry.allocatedByteCount
        for recipe in entry.recipes.values where recipe.record != nil {
            if recipe.renditions.isEmpty { failures += 1 } else { renditions += 1 }
        }
    }
}
