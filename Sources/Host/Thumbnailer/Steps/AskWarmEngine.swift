internal import Media
internal import SourceFiles

extension Pipeline {
    /// Has another process with warm renderers make the renditions.
    ///
    /// - Before: the cache lacks something.
    /// - After: the run is answered if the other process made everything; otherwise nothing has changed.
    static func askWarmEngine(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
        let (engine, source, order) = (run.engine, run.source, run.order)
        // The other process would get a file without its bytes.
        guard source.ranged == nil else { return .ongoing }
        let made = try engine.warmEngine?.thumbnails(of: source, order: order, for: engine)
        return made.map { .answered($0) } ?? .ongoing
    }
}
