public import Linux
public import Media

/// An index from a file's stat key to its source key: a cache hit need not read the file.
///
/// A file that is written twice within one tick of its file system's clock has the same times after both writes. An
/// entry about the first content would be wrong forever (git calls such entries racily clean). So a file is indexed
/// only if its times are more than `clockGrain` before the time when the reading of its content began.
public struct StatIndex: Sendable {
    let folder: CacheFolder

    /// The resolution of the coarsest file system clock, FAT's.
    ///
    /// The kernel's own tick is at most 10 ms, and a network file server's clock may be off by as much. A file that is
    /// requested within 2 s of its last change is read once more.
    public static let clockGrain: Duration = .seconds(2)

    /// The key of the file with this status; `nil` if it is not known.
    public func key(for status: FileStatus) -> SourceKey? {
        let statKey = StatKey(of: status)
        guard let record = folder.record(at: Self.place(statKey)), record["file"]?.string == statKey.digest.hex,
            let text = record["key"]?.string
        else { return nil }
        if text == Self.localWord { return .local(statKey) }
        return Digest(hex: text).map(SourceKey.digest)
    }

    /// Adds a file's key to the index.
    ///
    /// - Parameters:
    ///   - status: the file's status, the same before and after its content was read.
    ///   - readingBegan: `Time.wallAsFilesSeeIt` before the first byte was read (the time of the first `fstat`).
    /// - Returns: `false` if the file changed too recently to be trusted; then nothing is stored.
    /// - Throws: `unavailable`.
    @discardableResult
    public func remember(
        _ key: SourceKey, for status: FileStatus, readingBegan: Int64
    ) throws(Failure) -> Bool {
        guard Self.isSettled(status, at: readingBegan) else { return false }
        let statKey = StatKey(of: status)
        let word = if case .digest(let digest) = key { digest.hex } else { Self.localWord }
        let record = SealedRecord.bytes(
            of: .object(["file": .string(statKey.digest.hex), "key": .string(word)]))
        try folder.attempt("written") { () throws(SystemError) in try folder.write(record, to: Self.place(statKey)) }
        CacheUsage(folder: folder).add([record.count])
        return true
    }

    private static let localWord = "local"

    private static func place(_ key: StatKey) -> String {
        "\(CacheLayout.stat)/\(key.digest.hex.prefix(2))/\(key.digest.hex)\(CacheLayout.recordSuffix)"
    }

    /// Whether any later write changes the file's times: false if a time is in the future.
    private static func isSettled(_ status: FileStatus, at moment: Int64) -> Bool {
        let latest = max(status.modified, status.changed)
        return latest < moment && Duration.nanoseconds(moment - latest) > clockGrain
    }
}
