internal import Media
internal import ThumbnailCache

extension Pipeline {
    /// Creates the folders of the source's entry while a child renders.
    ///
    /// - Before: `key` is set, unless nothing is stored.
    /// - After: the folders exist, or `store` will warn with the reason.
    static func prepareEntry(_ run: inout ThumbnailRun) -> Progress {
        if let key = run.key { run.engine.cache?.prepareEntry(for: key) }
        return .ongoing
    }
}
