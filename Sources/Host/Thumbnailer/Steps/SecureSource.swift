internal import Linux
internal import Media
internal import SourceFiles
internal import ThumbnailCache

extension Pipeline {
    /// Makes sure that the bytes that are hashed are those that are decoded.
    ///
    /// Another user who may write to a file can change it in between without a trace, and the rendition of one content would be
    /// kept under the other's digest. So such a file is copied. One too large to be hashed unasked is not: its entry lies under
    /// its stat key, which no other file has.
    ///
    /// - Before: nothing of the source was hashed or decoded.
    /// - After: nobody can change `source` unnoticed; `knownDigest` and the stat index's key are forgotten where somebody could.
    static func secureSource(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
        guard run.engine.cache != nil || run.order.wantsDigest, !run.source.isSecure else { return .ongoing }
        let isKeptByDigest =
            run.order.wantsDigest || run.source.byteCount <= run.engine.maxUnhashedByteCount
        // The caller and the stat index spoke of the file as it was then.
        run.knownDigest = nil
        run.key = isKeptByDigest ? nil : .local(StatKey(of: run.source.status))
        guard isKeptByDigest else { return .ongoing }
        let start = Time.monotonic
        defer { run.timings.add("copy", Time.monotonic - start) }
        run.source = try run.engine.secured(run.source, cancellation: run.order.cancellation)
        return run.source.isUnchanged ? .ongoing : .sourceChanged
    }
}
