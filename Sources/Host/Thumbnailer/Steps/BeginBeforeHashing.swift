internal import Media
internal import SourceFiles

extension Pipeline {
    /// Begins to render before the source is hashed, if hashing takes long.
    ///
    /// - Before: nobody can change the source.
    /// - After: if hashing takes long, the file is locked, the cache was checked once more, and `early` renders.
    static func beginBeforeHashing(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
        run.takesLongToHash ? try run.take(beforeHashing) : .ongoing
    }
}

extension ThumbnailRun {
    /// Whether the source's key is still to be computed, in a time that matters compared to a render's: 1 ms or more.
    fileprivate var takesLongToHash: Bool {
        guard key == nil, engine.cache != nil, source.byteCount > 1 << 20 else { return false }
        return order.wantsDigest || source.byteCount <= engine.maxUnhashedByteCount
    }
}
