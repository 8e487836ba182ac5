public import Media

/// Another process whose renderers are warm, and which may make what the cache lacks.
public protocol WarmEngine: Sendable {
    /// The renditions of a source, made there and kept in the engine's cache; `nil` where it does not make them, for
    /// whatever reason: then they are made here.
    ///
    /// - Throws: what concerns the whole source, or `cancelled`.
    func thumbnails(of source: SourceFile, order: Order, for engine: Thumbnailer) throws(Failure) -> Thumbnails?
}
