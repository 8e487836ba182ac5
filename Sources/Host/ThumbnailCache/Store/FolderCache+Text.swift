internal import Linux
public import Media

extension FolderCache {
    /// The text of a part in the source's entry, or a failure that still counts; `nil` where there is none, or a damaged one.
    ///
    /// - Parameter currentBuild: the build of the renderer that would try again now, asked for a lasting failure alone.
    public func text(of key: SourceKey, _ part: TextPart, currentBuild: () -> String?) -> StoredText? {
        let place = Self.textPlace(key, part)
        guard let json = folder.record(at: place, limit: SealedRecord.longestText) else { return nil }
        guard let stored = StoredText(json: json, of: part) else {
            folder.countDamage()
            return nil
        }
        if case .failure(let failure) = stored, !counts(failure, currentBuild) { return nil }
        return stored
    }

    /// Keeps the text of a part, in place of an earlier one or a failure.
    ///
    /// - Throws: `unavailable`; nothing half-written stays.
    public func storeText(_ text: SourceText, for key: SourceKey) throws(Failure) {
        try store(.text(text), for: key, text.part)
    }

    /// Keeps the failure to read the text of a part. One that does not belong to the content is not kept.
    ///
    /// - Throws: `unavailable`.
    public func storeTextFailure(
        _ failure: Failure, build: String, for key: SourceKey, _ part: TextPart
    ) throws(Failure) {
        guard failure.belongsToContent else { return }
        let stored = StoredFailure(failure: failure, build: build, created: folder.now())
        try store(.failure(stored), for: key, part)
    }

    private func store(_ stored: StoredText, for key: SourceKey, _ part: TextPart) throws(Failure) {
        let record = SealedRecord.bytes(of: stored.json(of: part))
        guard record.count <= SealedRecord.longestText else { return }
        let place = Self.textPlace(key, part)
        try folder.attempt("written") { () throws(SystemError) in try folder.write(record, to: place) }
        CacheUsage(folder: folder).add([record.count])
    }

    private static func textPlace(_ key: SourceKey, _ part: TextPart) -> String {
        "\(key.folder)/\(CacheLayout.textRecordName(part))"
    }
}
