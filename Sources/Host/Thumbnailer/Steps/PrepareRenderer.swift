internal import Linux
internal import Media
internal import RenderHost
internal import SourceFiles

extension Pipeline {
    /// Starts the programs that will probably be needed: they load in parallel with the next steps.
    ///
    /// - Before: something is to be made.
    /// - After: `guess` is the media type that the source's first bytes and its name suggest.
    static func prepareRenderer(_ run: inout ThumbnailRun) -> Progress {
        // A file that cannot be read fails at the next step, with its reason.
        let head = (try? run.source.bytes(at: 0, count: 192)) ?? []
        run.guess = MediaType.guess(fromHead: head, fileName: run.source.name)
        let (host, rendererClass, isRanged) = (run.engine.host, run.guess?.rendererClass, run.source.ranged != nil)
        if run.textPart == .document {
            host.prepare(.sniff)
            host.prepare(.text)
            return .ongoing
        }
        // The one that starts more slowly goes first.
        if let rendererClass { host.prepare(rendererClass, forRanged: isRanged) }
        if rendererClass == nil || run.guess == .svg { host.prepare(.sniff) }
        return .ongoing
    }
}
