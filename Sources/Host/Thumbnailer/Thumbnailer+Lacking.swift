public import Media
public import SourceFiles

// What is known about a source without making anything.
extension Thumbnailer {
    /// A source's digest: from the stat index, or computed now and stored there.
    ///
    /// - Throws: `unavailable` if the source changes in the meantime.
    public func digest(of source: SourceFile) throws(Failure) -> Digest { try lacking([], of: source).digest }

    /// A source's digest, and the recipes for which the cache has neither a rendition nor a failure that still counts.
    ///
    /// A failure counts only for the renderer's build, so the first failure found starts a renderer to ask it.
    /// - Throws: `unavailable` if the source changes in the meantime.
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

    /// The failure of a file that is written while it is read.
    static let changing = Failure(
        .unavailable, message: "File changed while it was being read. Try again when it is complete.")
}
