public import Media

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
        run.findKey()
        let isKnown = run.key != nil
        try run.identify()
        guard source.isUnchanged, let digest = run.digest else { throw Self.changing }
        if !isKnown { run.rememberKey() }
        run.lookUp()
        return (digest, run.missing.map { recipes[$0] })
    }

    /// Why a file that is being written has no renditions yet.
    static let changing = Failure(
        .unavailable, message: "File changed while it was being read. Try again when it is complete.")
}
