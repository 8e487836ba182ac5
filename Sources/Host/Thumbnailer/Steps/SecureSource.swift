internal import Linux
internal import Media
internal import SourceFiles
internal import ThumbnailCache

extension Pipeline {
    /// Guarantees that the hashed bytes are the decoded bytes.
    ///
    /// Another user with write access to a file can change it in between without a trace. The rendition of one content
    /// would then be stored under the other's digest. So such a file is copied. A file too large to be hashed without a
    /// request is not copied: its entry is under its stat key, which no other file has.
    ///
    /// - Before: nothing of the source was hashed or decoded.
    /// - After: nobody can change `source` unnoticed; `knownDigest` and the stat index's key are discarded if somebody
    ///   could.
    static func secureSource(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
        guard run.engine.cache != nil || run.order.wantsDigest, !run.source.isSecure else { return .ongoing }
        let isKeptByDigest =
            run.order.wantsDigest || run.source.byteCount <= run.engine.maxUnhashedByteCount
        // The caller and the stat index referred to the file in its state at that time.
        run.knownDigest = nil
        run.key = isKeptByDigest ? nil : .local(StatKey(of: run.source.status))
        guard isKeptByDigest else { return .ongoing }
        let start = Time.monotonic
        defer { run.timings.add("copy", Time.monotonic - start) }
        run.source = try run.engine.secured(run.source, cancellation: run.order.cancellation)
        return run.source.isUnchanged ? .ongoing : .sourceChanged
    }
}
