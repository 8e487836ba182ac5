internal import Linux
internal import Media
internal import RenderHost
internal import SourceFiles
internal import Wire

extension Pipeline {
    /// Makes the missing renditions, one decode per group.
    ///
    /// - Before: `sniffed` is set.
    /// - After: each missing recipe has its rendition in `made`, or a failure of the content as its result.
    static func render(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
        for group in run.groups { try run.make(group) }
        return .ongoing
    }
}

extension ThumbnailRun {
    fileprivate mutating func make(_ group: [Int]) throws(Failure) {
        let sniffed = sniffed!
        guard let rendererClass = sniffed.mediaType.rendererClass else {
            return makeIcons(group, insteadOf: Failure(.unsupported, detail: sniffed.mediaType.rawValue))
        }
        do throws(Failure) {
            let ahead = encodeAhead(group)
            let begun = try takeEarlyRendering(of: group)
            let rendered = if let begun { begun } else { try perform(group, by: rendererClass) }
            facts = rendered.facts.recognized(as: sniffed)
            try encode(group, rendered, ahead: begun != nil && early?.isDrawnOnce == true ? ahead : nil)
        } catch {
            if !error.belongsToContent { throw error }
            build = engine.build(of: rendererClass.successor ?? rendererClass) ?? build
            if error.code == .unsupported {
                // A source without a picture may have a duration.
                try readFacts()
                return makeIcons(group, insteadOf: error)
            }
            facts = facts ?? sniffed
            for index in group { results[index] = .failure(error) }
        }
    }

    /// The rendering that was started early, if it belongs to this group and the guess was right.
    mutating func takeEarlyRendering(of group: [Int]) throws(Failure) -> RenderedSource? {
        guard let early, early.group == group, let (result, duration) = early.rendered(for: sniffed!.mediaType) else {
            return nil
        }
        timings.add("render", duration)
        let rendered = try result.get()
        note(rendered)
        return rendered
    }

    /// Renders a group now; an empty group for its facts.
    mutating func perform(_ group: [Int], by rendererClass: RendererClass) throws(Failure) -> RenderedSource {
        let task = task(of: group, mediaType: sniffed!.mediaType)
        let rendered: RenderedSource
        do {
            let start = Time.monotonic
            defer { timings.add("render", Time.monotonic - start) }
            rendered = try engine.host.perform(task, on: source.descriptor, by: rendererClass)
        }
        note(rendered)
        return rendered
    }

    private mutating func note(_ rendered: RenderedSource) {
        build = engine.build(of: rendered.rendererClass) ?? build
        peakByteCount = max(peakByteCount ?? 0, rendered.usage.peakByteCount)
    }
}

extension Facts {
    /// The decoder's facts, in which the facts found before any decoding take precedence.
    func recognized(as sniffed: Facts) -> Facts {
        var facts = self
        facts.mediaType = sniffed.mediaType
        facts.kind = sniffed.kind
        facts.byteCount = sniffed.byteCount
        facts.isEncrypted = sniffed.isEncrypted
        facts.hasVideo = sniffed.hasVideo
        return facts
    }
}
