public import Media
public import SourceFiles

// What can be said of a source without making anything.
extension Thumbnailer {
    /// A source's digest: from the stat index, or computed now and remembered there.
    ///
    /// - Throws: `unavailable` where the source changes meanwhile.
    public func digest(of source: SourceFile) throws(Failure) -> Digest { try lacking([], of: source).digest }

    /// A source's digest, and those recipes of which the cache has neither a rendition nor a failure that still counts.
    ///
    /// A failure counts for the renderer's build alone, so the first one that is met starts a renderer to ask it.
    /// - Throws: `unavailable` where the source changes meanwhile.
    public func lacking(
        _ recipes: [Recipe], of source: SourceFile
    ) throws(Failure) -> (digest: Digest, recipes: [Recipe]) {
        var run = ThumbnailRun(self, source, Order(recipes: recipes, wantsDigest: true))
        Pipeline.findKey(&run)
        let isKnown = run.key != nil
        try Pipeline.hash(&run)
        guard source.isUnchanged, let digest = run.digest else { throw Self.changing }
        if !isKnown { Pipeline.rememberKey(&run) }
        Pipeline.lookUp(&run)
        return (digest, run.missing.map { recipes[$0] })
    }

    /// The failure of a file that is being written while it is read.
    static let changing = Failure(
        .unavailable, message: "File changed while it was being read. Try again when it is complete.")
}
