internal import Linux
internal import Media
internal import SourceFiles
internal import ThumbnailCache

extension Pipeline {
    /// Gives the source its key: its digest, or for a large file its stat key.
    ///
    /// - Before: nobody can change the source.
    /// - After: `key` is set, unless there is no cache and nobody wants the digest.
    @discardableResult
    static func hash(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
        // The index knows a file that others may write to in an earlier state: good enough for a look-up, not for
        // storing anything.
        if run.source.isCopy { run.key = run.knownDigest.map(SourceKey.digest) }
        guard run.key == nil, run.engine.cache != nil || run.order.wantsDigest else { return .ongoing }
        if run.source.byteCount > run.engine.maxUnhashedByteCount && !run.order.wantsDigest {
            run.key = .local(StatKey(of: run.source.status))
            return .ongoing
        }
        let digest = try digest(of: &run)
        run.key = .digest(digest)
        promoteLocalEntry(of: run, to: digest)
        return .ongoing
    }

    private static func digest(of run: inout ThumbnailRun) throws(Failure) -> Digest {
        let start = Time.monotonic
        defer { run.timings.add("hash", Time.monotonic - start) }
        return try run.source.digest { run.isCancelled }
    }

    /// Moves the entry under the stat key to the digest, under which it is found from now on.
    private static func promoteLocalEntry(of run: ThumbnailRun, to digest: Digest) {
        guard let cache = run.engine.cache, case .local(let statKey) = cache.statIndex.key(for: run.source.status),
            !run.source.isCopy, run.source.ranged == nil, run.source.isSecure
        else { return }
        run.engine.warning { () throws(Failure) in try cache.promote(statKey, to: digest) }
    }
}
