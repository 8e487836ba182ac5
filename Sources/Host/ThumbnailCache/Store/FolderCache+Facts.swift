internal import Linux
public import Media

extension FolderCache {
    /// The facts of a source, if they are known.
    ///
    /// The facts in the source's entry; `nil` if there are none, or if they are damaged.
    public func facts(of key: SourceKey) -> StoredFacts? {
        folder.record(at: Self.factsPlace(key)).flatMap(StoredFacts.init(json:))
    }

    /// Stores the facts of a source; does nothing if facts of the same build exist.
    ///
    /// - Throws: `unavailable`.
    public func storeFacts(_ facts: StoredFacts, for key: SourceKey) throws(Failure) {
        if self.facts(of: key)?.build == facts.build { return }
        let record = SealedRecord.bytes(of: facts.json)
        try folder.attempt("written") { () throws(SystemError) in try folder.write(record, to: Self.factsPlace(key)) }
        CacheUsage(folder: folder).add([record.count])
    }

    private static func factsPlace(_ key: SourceKey) -> String { "\(key.folder)/\(CacheLayout.factsName)" }
}
