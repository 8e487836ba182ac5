internal import Linux
public import Media

extension FolderCache {
    public func facts(of key: SourceKey) -> StoredFacts? {
        folder.record(at: Self.factsPlace(key)).flatMap(StoredFacts.init(json:))
    }

    public func storeFacts(_ facts: StoredFacts, for key: SourceKey) throws(Failure) {
        if self.facts(of: key)?.build == facts.build { return }
        try folder.attempt("written") { () throws(SystemError) in
            try folder.write(SealedRecord.bytes(of: facts.json), to: Self.factsPlace(key))
        }
    }

    private static func factsPlace(_ key: SourceKey) -> String { "\(key.folder)/\(Layout.factsName)" }
}
