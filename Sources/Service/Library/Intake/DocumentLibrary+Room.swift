public import Documents

extension DocumentLibrary {
    /// Refuses bytes that are over what a person may store. Started uploads count by their declared sizes.
    ///
    /// The store refuses documents for certain, once the file is there; here they are refused before they are sent.
    /// - Parameter others: the bytes of what is no document.
    /// - Throws: `overQuota`.
    public func requireRoom(
        for byteCount: Int64, of owner: ID<Person>, beside others: Int64 = 0
    ) throws(DocumentError) {
        guard let allowed = options.personByteCount else { return }
        let stored = try store.statistics(of: owner).byteCount + others
        let started = try store.openUploads(of: owner, limit: 1000).reduce(0) { $0 + ($1.length ?? 0) }
        guard stored + started + byteCount <= allowed else {
            throw .overQuota(used: stored + started, allowed: allowed)
        }
    }
}
