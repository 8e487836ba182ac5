internal import Linux
internal import Media
internal import RenderHost
internal import ThumbnailCache
internal import Wire

// The steps up to the pixels, in the order in which a run takes them.
extension ThumbnailRun {
    /// The stat index may know the file: then nothing of it needs to be read.
    mutating func findKey() {
        if key == nil, let digest = order.knownDigest { key = .digest(digest) }
        guard let cache = engine.cache, key == nil else { return }
        key = timings.measure("index") { cache.statIndex.key(for: source.status) }
        // A local entry is not enough where the digest is wanted.
        if case .local = key, order.wantsDigest { key = nil }
    }

    /// Takes from the cache what it has.
    mutating func lookUp() {
        guard let cache = engine.cache, let key, !order.isForced else { return }
        let start = Time.monotonic
        defer { timings.add("lookup", Time.monotonic - start) }
        if let kept = cache.facts(of: key) {
            facts = kept.facts
            placeholder = kept.placeholder
        }
        for index in missing {
            let mediaType = facts?.mediaType
            switch cache.lookup(key, recipe: order.recipes[index], currentBuild: { engine.build(for: mediaType) }) {
            case .hit(let stored): results[index] = .success(stored)
            case .failure(let stored) where order.retriesTransientFailures && stored.failure.isTransient: break
            case .failure(let stored): results[index] = .failure(stored.failure)
            case .miss: break
            }
        }
    }

    /// Starts the programs that will probably be needed; they load side by side with what follows.
    func warmUp() -> MediaType? {
        // A file that cannot be read fails at the next step, with its reason.
        let head = (try? source.descriptor.bytes(at: 0, count: 192)) ?? []
        let guess = MediaType.guess(fromHead: head, fileName: source.name)
        // The slower to start goes first.
        if let rendererClass = guess?.rendererClass { engine.host.prepare(rendererClass) }
        if guess?.rendererClass == nil || guess == .svg { engine.host.prepare(.sniff) }
        return guess
    }

    /// Sees to it that the bytes that are hashed are those that are decoded: whoever may write to a file can change it in between
    /// without a trace, and what was made of the one would be kept under the other's digest. Such a file is copied; one too large to
    /// be hashed unasked is known by its stat key alone, which is nobody else's.
    ///
    /// - Returns: `false` where the source changed while it was copied.
    mutating func secure() throws(Failure) -> Bool {
        guard engine.cache != nil || order.wantsDigest, !source.isSecure else { return true }
        let isKeptByDigest = order.wantsDigest || source.byteCount <= engine.maxUnhashedByteCount
        // What others said of the file, or the stat index, was said of what it held then.
        order.knownDigest = nil
        key = isKeptByDigest ? nil : .local(StatKey(of: source.status))
        guard isKeptByDigest else { return true }
        let (engine, file, order) = (engine, source, order)
        source = try timings.measure("copy") { () throws(Failure) in
            try engine.secured(file, cancellation: order.cancellation)
        }
        return source.isUnchanged
    }

    /// Gives the source its key: its digest, or for a large file its stat key.
    mutating func identify() throws(Failure) {
        // The index knows a file that others may write to as it once was: good enough to look there, not to keep anything.
        if source.isCopy { key = order.knownDigest.map(SourceKey.digest) }
        guard key == nil, engine.cache != nil || order.wantsDigest else { return }
        if source.byteCount > engine.maxUnhashedByteCount && !order.wantsDigest {
            key = .local(StatKey(of: source.status))
            return
        }
        let (host, descriptor, cancellation) = (engine.host, source.descriptor, order.cancellation)
        let digest = try timings.measure("hash") { () throws(Failure) in
            try SHA256.digest(of: descriptor) { host.isCancelled || cancellation?.isCancelled == true }
        }
        key = .digest(digest)
        promoteLocalEntry(to: digest)
    }

    /// What was made under the stat key is found by the digest from now on.
    private func promoteLocalEntry(to digest: Digest) {
        guard let cache = engine.cache, case .local(let statKey) = cache.statIndex.key(for: source.status),
            !source.isCopy, source.isSecure
        else { return }
        engine.warning { () throws(Failure) in try cache.promote(statKey, to: digest) }
    }

    /// Whether the source's key is still to be computed, in a time that matters beside a render's: 1 ms or more.
    var takesLongToHash: Bool {
        guard key == nil, engine.cache != nil, source.byteCount > 1 << 20 else { return false }
        return order.wantsDigest || source.byteCount <= engine.maxUnhashedByteCount
    }

    /// Takes the locks of what is to be made: of many who want the same, one makes it.
    func takeOff(as key: SourceKey?) -> SingleFlight.Hold? {
        guard let cache = engine.cache, let key else { return nil }
        let flights = missing.map { SingleFlight.Flight(key, recipe: order.recipes[$0]) }
        let (host, cancellation) = (engine.host, order.cancellation)
        return cache.singleFlight.acquire(flights, until: Time.monotonic + engine.limits.wallTime) {
            host.isCancelled || cancellation?.isCancelled == true
        }
    }

    /// The sniffer's word on what the source is.
    mutating func sniff() throws(Failure) -> Facts {
        guard source.byteCount > 0 else { throw Failure(.corrupt, message: "File is empty.") }
        let (engine, source, order) = (engine, source, order)
        return try timings.measure("sniff") { () throws(Failure) in
            try engine.host.sniff(
                source.descriptor, limits: engine.limits, explanation: order.explanation,
                cancellation: order.cancellation, isOnly: engine.isForOneSource)
        }
    }

    /// Begins what the guess allows: a group's pixels, or without recipes the facts; `nil` where it allows nothing.
    ///
    /// Drawings are texts, and what a text is only the sniffer can tell.
    func beginEarly(_ group: [Int], as guess: MediaType?) -> EarlyWork? {
        guard let guess, guess != .svg, let rendererClass = guess.rendererClass, source.byteCount > 0 else {
            return nil
        }
        return EarlyWork(
            group, task: task(of: group, mediaType: guess), by: rendererClass, of: source, on: engine.host)
    }

    /// What the source is: by the child that was begun early, else by the sniffer.
    mutating func sniffed(by early: EarlyWork?) throws(Failure) -> Facts {
        if let recognized = try early?.recognized() { return recognized }
        return try sniff()
    }

    /// Makes a group's renditions in one decode, if that was not done early; what fails is each recipe's result.
    mutating func make(
        _ group: [Int], of sniffed: Facts, early: EarlyWork?
    ) throws(Failure) {
        guard let rendererClass = sniffed.mediaType.rendererClass else {
            return makeIcons(group, of: sniffed, instead: Failure(.unsupported, detail: sniffed.mediaType.rawValue))
        }
        do throws(Failure) {
            let ahead = encodeAhead(group, of: sniffed, by: early)
            let made = try result(of: early, for: group, of: sniffed)
            let rendered =
                if let made { made } else {
                    try perform(task(of: group, mediaType: sniffed.mediaType), by: rendererClass)
                }
            facts = Self.facts(of: rendered.facts, sniffed: sniffed)
            try finish(group, rendered, ahead: made != nil && early?.isDrawnOnce == true ? ahead : nil)
        } catch {
            if !error.belongsToContent { throw error }
            build = engine.build(of: rendererClass.successor ?? rendererClass) ?? build
            if error.code == .unsupported {
                // What has no picture may have a duration.
                try readFacts(sniffed, early: nil)
                return makeIcons(group, of: sniffed, instead: error)
            }
            facts = facts ?? sniffed
            for index in group { results[index] = .failure(error) }
        }
    }

    /// Reads the facts alone: from the renderer of the type, where it has one that can tell more than the sniffer.
    mutating func readFacts(_ sniffed: Facts, early: EarlyWork?) throws(Failure) {
        facts = sniffed
        guard let rendererClass = sniffed.mediaType.rendererClass else { return }
        do throws(Failure) {
            let rendered =
                if let made = try result(of: early, for: [], of: sniffed) {
                    made
                } else {
                    try perform(task(of: [], mediaType: sniffed.mediaType), by: rendererClass)
                }
            facts = Self.facts(of: rendered.facts, sniffed: sniffed)
        } catch {
            // A container without a picture still is what the sniffer says.
            if error.code != .unsupported { throw error }
        }
    }

    private mutating func perform(_ task: RenderTask, by rendererClass: RendererClass) throws(Failure) -> RenderedSource
    {
        let (host, descriptor) = (engine.host, source.descriptor)
        let rendered = try timings.measure("render") { () throws(Failure) in
            try host.perform(task, on: descriptor, by: rendererClass)
        }
        note(rendered)
        return rendered
    }

    /// The pixels that were begun early, if they are this group's and the guess was right.
    private mutating func result(
        of early: EarlyWork?, for group: [Int], of sniffed: Facts
    ) throws(Failure) -> RenderedSource? {
        guard let early, early.group == group, let (result, duration) = early.rendered(for: sniffed.mediaType) else {
            return nil
        }
        timings.add("render", duration)
        let rendered = try result.get()
        note(rendered)
        return rendered
    }

    private mutating func note(_ rendered: RenderedSource) {
        build = engine.build(of: rendered.rendererClass) ?? build
        peakByteCount = max(peakByteCount ?? 0, rendered.usage.peakByteCount)
    }

    /// Facts as they are shown: what a file is was said before anything decoded, whatever the decoder says.
    private static func facts(of rendered: Facts, sniffed: Facts) -> Facts {
        var facts = rendered
        facts.mediaType = sniffed.mediaType
        facts.kind = sniffed.kind
        facts.byteCount = sniffed.byteCount
        facts.isEncrypted = sniffed.isEncrypted
        facts.hasVideo = sniffed.hasVideo
        return facts
    }

    /// The recipes' pictures, and behind them the whole picture in miniature for the placeholder; without recipes, the facts.
    private func task(of group: [Int], mediaType: MediaType) -> RenderTask {
        let recipes = group.map { order.recipes[$0] }
        guard let first = recipes.first else {
            return RenderTask(
                mediaType: mediaType, limits: engine.limits, explanation: order.explanation,
                cancellation: order.cancellation, isOnly: engine.isForOneSource)
        }
        let gravity: Gravity = mediaType.kind == .pdf ? .top : .centre
        var pictures = recipes.map {
            RenderTask.Picture(box: $0.box, fit: $0.fit, gravity: gravity, enlarge: $0.enlarge)
        }
        pictures.append(RenderTask.Picture(box: Self.placeholderBox, fit: .inside, gravity: .centre, enlarge: false))
        return RenderTask(
            mediaType: mediaType, limits: engine.limits, pageIndex: first.pageIndex, time: first.time,
            threadCount: order.threadCount ?? engine.threadCount, explanation: order.explanation, pictures: pictures,
            cancellation: order.cancellation, isOnly: engine.isForOneSource && groups.count <= 1)
    }

    /// ThumbHash takes pictures of at most 100 × 100.
    private static let placeholderBox = Box(width: 100, height: 100)!
}
