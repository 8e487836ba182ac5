internal import Linux
public import Media

extension FolderCache {
    /// Removes the least recently used files until the cache takes at most `budget` bytes on disk, and expired or
    /// abandoned files in any case. If the budget requires removals, they continue to a tenth below it.
    ///
    /// Only one collection runs at a time across processes. The call blocks during the walk: 25 µs per entry if the
    /// kernel has the folders in memory.
    /// - Returns: the files that were removed, or would be; `nil` if another collection is running.
    /// - Throws: `unavailable` if the folder cannot be written.
    public func collect(budget: Int64, isDryRun: Bool = false) throws(Failure) -> CollectionReport? {
        guard (try? folder.files.status(of: "", in: folder.root)) != nil else { return CollectionReport() }
        var collector = Collector(folder: folder)
        if isDryRun { return collector.collect(budget: budget, isDryRun: true) }
        switch LockFile.acquire(CacheLayout.collectionLock, in: folder) {
        case .held: return nil
        case .impossible:
            throw Failure(
                .unavailable, message: "The thumbnail cache cannot be collected.",
                detail: "cannot lock a file in \(path)/\(CacheLayout.locks): give this user write access there")
        case .acquired(let lock):
            return try withExtendedLifetime(lock) { () throws(Failure) in try collect(budget, &collector) }
        }
    }

    private func collect(_ budget: Int64, _ collector: inout Collector) throws(Failure) -> CollectionReport {
        let usage = CacheUsage(folder: folder)
        let length = usage.length
        let report = collector.collect(budget: budget, isDryRun: false)
        try folder.attempt("written") { () throws(SystemError) in
            try usage.note(total: report.byteCountAfter, since: length)
        }
        return report
    }

    /// Whether the cache may have exceeded its budget since the last collection.
    ///
    /// Checks two small files and walks no folder. A caller of `store` calls this, then `collect`.
    public func needsCollection(budget: Int64) -> Bool {
        guard let bound = CacheUsage(folder: folder).bound else { return true }
        return bound > budget
    }
}
