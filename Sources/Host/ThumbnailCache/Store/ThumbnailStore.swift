public import Media

/// A store of renditions by source key and recipe.
///
/// Calls block, may come from any thread, and the store may be shared with other processes. An answer is right or it is a
/// miss: damage, half-written entries and lost races are misses.
public protocol ThumbnailStore: Sendable {
    /// The rendition of a recipe for a source, or its failure.
    ///
    /// - Parameter currentBuild: the build of the renderer that would try again now, `nil` where it is not known. Asked only
    ///   for a lasting failure, which counts for that very build alone.
    func lookup(_ key: SourceKey, recipe: Recipe, currentBuild: () -> String?) -> Lookup

    /// Keeps a rendition, in place of an earlier one or a failure.
    ///
    /// - Throws: `unavailable`; nothing half-written stays.
    @discardableResult
    func store(_ rendition: Rendition, for key: SourceKey, recipe: Recipe) throws(Failure) -> StoredRendition

    /// Keeps a failure, in place of an earlier one or a rendition. One that does not belong to the content is not kept.
    ///
    /// - Throws: `unavailable`.
    func storeFailure(_ failure: Failure, build: String, for key: SourceKey, recipe: Recipe) throws(Failure)

    /// The facts of a source, if they are known.
    func facts(of key: SourceKey) -> StoredFacts?

    /// Keeps the facts of a source; does nothing where facts of the same build are there.
    ///
    /// - Throws: `unavailable`.
    func storeFacts(_ facts: StoredFacts, for key: SourceKey) throws(Failure)

    /// Moves the entry under a stat key to the digest of the same file. Where the digest's entry has a rendition already, that
    /// one stays.
    ///
    /// - Throws: `unavailable`; each recipe is then under one key or the other, or a miss.
    func promote(_ key: StatKey, to digest: Digest) throws(Failure)

    /// Forgets a source: facts, renditions and failures.
    ///
    /// - Returns: whether there was anything.
    /// - Throws: `unavailable`.
    @discardableResult
    func purge(_ digest: Digest) throws(Failure) -> Bool
}

/// A store's answer to a look-up.
public enum Lookup: Hashable, Sendable {
    case hit(StoredRendition)
    case failure(StoredFailure)
    case miss
}
