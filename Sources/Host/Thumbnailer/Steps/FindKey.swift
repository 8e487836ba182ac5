internal import Linux
internal import Media
internal import SourceFiles
internal import ThumbnailCache

extension Pipeline {
    /// Finds the source's key without reading the source.
    ///
    /// - Before: the source is open.
    /// - After: `key` is set if the caller gave the digest, the stat index knows the file, or the file is remote.
    @discardableResult
    static func findKey(_ run: inout ThumbnailRun) -> Progress {
        if run.key == nil, let digest = run.knownDigest { run.key = .digest(digest) }
        guard let cache = run.engine.cache, run.key == nil else { return .ongoing }
        if let key = run.source.rangedKey {
            if case .local = key, run.order.wantsDigest { return .ongoing }
            run.key = key
            return .ongoing
        }
        let start = Time.monotonic
        defer { run.timings.add("index", Time.monotonic - start) }
        run.key = cache.statIndex.key(for: run.source.status)
        // An entry under the stat key is not enough if the digest is wanted.
        if case .local = run.key, run.order.wantsDigest { run.key = nil }
        return .ongoing
    }
}
