internal import Media
internal import RenderHost

extension Pipeline {
    /// Reads the facts from the renderer of the media type, if there is one: it knows more than the sniffer.
    ///
    /// - Before: `sniffed` is set.
    /// - After: `facts` is set.
    static func readFacts(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
        try run.readFacts()
        return .ongoing
    }
}

extension ThumbnailRun {
    mutating func readFacts() throws(Failure) {
        let sniffed = sniffed!
        facts = sniffed
        guard let rendererClass = sniffed.mediaType.rendererClass else { return }
        do throws(Failure) {
            let begun = try takeEarlyRendering(of: [])
            let rendered = if let begun { begun } else { try perform([], by: rendererClass) }
            facts = rendered.facts.recognized(as: sniffed)
        } catch {
            // A container without a picture is still what the sniffer says.
            if error.code != .unsupported { throw error }
        }
    }
}
