public import Media
public import SourceFiles

/// Another process with warm renderers, which may make the renditions that the cache lacks.
public protocol WarmEngine: Sendable {
    /// The renditions of a source, made by the other process and stored in the engine's cache.
    ///
    /// `nil` if the other process does not make them, for whatever reason; then the engine makes them.
    ///
    /// - Throws: a failure of the whole source, or `cancelled`.
    func thumbnails(of source: SourceFile, order: Order, for engine: Thumbnailer) throws(Failure) -> Thumbnails?
}
