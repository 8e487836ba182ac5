public import Media

/// The result of a collection of shared pictures: the files that it removed, or would remove.
public struct SharedCollectionReport: Hashable, Sendable {
    /// Bytes of the machines' files before the collection.
    public internal(set) var byteCountBefore: Int64 = 0
    /// Bytes of the machines' files after it.
    public internal(set) var byteCountAfter: Int64 = 0
    /// Renditions that were removed, oldest first.
    public internal(set) var removedRenditions = 0
    /// Sources whose facts were removed.
    public internal(set) var removedFacts = 0
    /// Files that do not belong to the machines: they stay, and do not count.
    public internal(set) var foreign = ForeignFiles()
}

extension SharedPictureFiles {
    /// Removes the oldest files until the rest takes at most `budget` bytes. If that requires removals, they continue
    /// to a tenth below it.
    ///
    /// A machine that needs a removed file makes it again. Two simultaneous collections remove the same files. The list
    /// is read twice if anything must be removed: only the write times take memory, not the files.
    ///
    /// - Throws: `unavailable`; then some files may already have been removed.
    public func collect(budget: Int64, isDryRun: Bool = false) throws(Failure) -> SharedCollectionReport {
        var report = SharedCollectionReport()
        var byteCounts: [Int64: Int64] = [:]
        try walk { file throws(Failure) in
            guard file.meaning != nil else { return report.foreign.note(file.name) }
            // The sizes that an untrustworthy store states may add up to any sum.
            byteCounts[file.modified, default: 0] &+= file.byteCount
            report.byteCountBefore &+= file.byteCount
        }
        report.byteCountAfter = report.byteCountBefore
        guard report.byteCountBefore > budget else { return report }
        let excess = report.byteCountBefore - Collector.target(for: budget)
        var age = RemovedAge(excess, byteCounts)
        try walk { file throws(Failure) in
            guard let content = file.meaning?.content, age.takes(file) else { return }
            if !isDryRun { try remove(file.name) }
            report.byteCountAfter &-= file.byteCount
            if content == .facts { report.removedFacts += 1 } else { report.removedRenditions += 1 }
        }
        return report
    }

    /// Removes all files of a content.
    ///
    /// - Returns: whether there was any, and the files in its place that do not belong to the machines: they stay.
    /// - Throws: `unavailable`.
    public func purge(_ digest: Digest) throws(Failure) -> (isThere: Bool, foreign: ForeignFiles) {
        var (isThere, foreign) = (false, ForeignFiles())
        try walk(digest) { file throws(Failure) in
            guard file.meaning?.digest == digest else { return foreign.note(file.name) }
            isThere = true
            try remove(file.name)
        }
        return (isThere, foreign)
    }
}

/// The time up to which files are removed: all that were written before it, and as many of that time as necessary.
private struct RemovedAge {
    private var last = Int64.min
    private var rest: Int64 = 0

    /// - Parameters:
    ///   - excess: the number of bytes to remove.
    ///   - byteCounts: the bytes that were written at each time.
    init(_ excess: Int64, _ byteCounts: [Int64: Int64]) {
        var excess = excess
        for (moment, byteCount) in byteCounts.sorted(by: { $0.key < $1.key }) where excess > 0 {
            (last, rest) = (moment, excess)
            excess &-= byteCount
        }
    }

    mutating func takes(_ file: SharedPictureFile) -> Bool {
        guard file.modified == last, rest > 0 else { return file.modified < last }
        rest &-= file.byteCount
        return true
    }
}
