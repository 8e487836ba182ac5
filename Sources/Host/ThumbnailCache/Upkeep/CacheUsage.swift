internal import Linux
internal import Media

/// The amount stored since the last collection, tracked without walking the cache.
///
/// A store appends one byte to `usage` for each block of 4 KiB; appends of several processes do not overwrite each
/// other (`O_APPEND`). `gc.json` has the last collection's count, and the length of `usage` when it began to count.
struct CacheUsage {
    let folder: CacheFolder

    /// The smallest allocation of common file systems, in bytes. Larger units would count small files several times
    /// over and cause correspondingly more collections.
    private static let block = 4096

    /// The blocks of new folders: a file's own and the two above it.
    private static let folderBlocks = 3

    /// From this length on, a collection restarts `usage`: it stands for 4 GiB stored.
    private static let longestFile: Int64 = 1 << 20

    /// Counts stored files by their sizes. The next collection corrects a lost count, for example on a full disk.
    func add(_ byteCounts: [Int]) {
        let blocks = byteCounts.reduce(Self.folderBlocks) { $0 + ($1 + Self.block - 1) / Self.block }
        try? folder.files.append(
            [UInt8](repeating: UInt8(ascii: "."), count: blocks), to: CacheLayout.usage, in: folder.root)
    }

    /// An upper bound of the cache's size: the last count and everything stored since. `nil` if the count is damaged.
    var bound: Int64? {
        let length = self.length
        guard (try? folder.files.status(of: CacheLayout.collection, in: folder.root)) != nil else {
            return length * Int64(Self.block)
        }
        guard let record = folder.record(at: CacheLayout.collection), let total = record["byteCount"]?.integer,
            let counted = record["usage"]?.integer, (0...length).contains(counted), total >= 0
        else { return nil }
        let (bound, isOverflowing) = total.addingReportingOverflow((length - counted) * Int64(Self.block))
        return isOverflowing ? nil : bound
    }

    /// The present length of `usage`: a collection records it before it counts.
    ///
    /// A sparse file can claim more than the blocks of any disk; it counts as 2⁵⁰.
    var length: Int64 {
        min((try? folder.files.status(of: CacheLayout.usage, in: folder.root).byteCount) ?? 0, 1 << 50)
    }

    /// Records a collection's count.
    ///
    /// - Parameter length: of `usage` when the count began: a file stored during the count is counted twice rather than
    ///   not at all.
    func note(total: Int64, since length: Int64) throws(SystemError) {
        let startsAnew = length > Self.longestFile
        let record = JSON.object(["byteCount": .integer(total), "usage": .integer(startsAnew ? 0 : length)])
        try folder.write(SealedRecord.bytes(of: record), to: CacheLayout.collection)
        // After the record: a crash in between makes the bound too large, which only costs a collection.
        if startsAnew { try folder.files.remove(CacheLayout.usage, in: folder.root) }
    }
}
