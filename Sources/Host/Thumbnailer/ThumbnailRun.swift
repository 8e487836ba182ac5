internal import Linux
internal import Media
internal import RenderHost
internal import ThumbnailCache

/// One source's way through the engine: a list of steps, each of which leaves less to do.
struct ThumbnailRun {
    let engine: Thumbnailer
    /// As it was opened, or from `secure()` on a copy that nobody can change.
    var source: SourceFile
    var order: Order
    var key: SourceKey?
    var facts: Facts?
    var placeholder: String?
    /// The build of the renderer that served, for the records.
    var build = Thumbnailer.ownBuild
    var results: [Result<StoredRendition, Failure>?]
    /// What this run made, for the cache.
    var made: [(index: Int, rendition: ThumbnailCache.Rendition)] = []
    var timings = Timings()
    /// The largest child's memory.
    var peakByteCount: UInt64?
    private var isCached = true

    init(_ engine: Thumbnailer, _ source: SourceFile, _ order: Order) {
        self.engine = engine
        self.source = source
        self.order = order
        results = Array(repeating: nil, count: order.recipes.count)
    }

    /// The finished order; `nil` where the source changed under way and nothing was kept.
    mutating func result() throws(Failure) -> Thumbnails? {
        findKey()
        lookUp()
        if missing.isEmpty { return finished }
        if let made = try engine.warmEngine?.thumbnails(of: source, order: order, for: engine) { return made }
        let guess = warmUp()
        guard try secure() else { return nil }
        var early: EarlyWork?
        var fileFlight: SingleFlight.Hold?
        defer { fileFlight?.release() }
        // What was begun for nothing, since the cache had it by then or a step failed, ends before the run does.
        defer { early?.end() }
        if takesLongToHash {
            // Who renders before it knows its key at least renders this file alone.
            fileFlight = takeOff(as: .local(StatKey(of: source.status)))
            findKey()
            lookUp()
            if missing.isEmpty { return finished }
            early = beginEarly(groups[0], as: guess)
        }
        try identify()
        let flight = takeOff(as: key)
        defer { flight?.release() }
        lookUp()
        if missing.isEmpty { return finished }
        isCached = false
        early = early ?? beginEarly(groups[0], as: guess)
        if let key { engine.cache?.prepareEntry(for: key) }
        let sniffed = try sniffed(by: early)
        for group in groups { try make(group, of: sniffed, early: early) }
        guard source.isUnchanged else { return nil }
        keep()
        return finished
    }

    /// The facts alone; `nil` where the source changed under way.
    mutating func factsResult() throws(Failure) -> Thumbnails? {
        findKey()
        if let key, let kept = engine.cache?.facts(of: key), kept.facts.isWhole {
            facts = kept.facts
            placeholder = kept.placeholder
            return finished
        }
        isCached = false
        let guess = warmUp()
        guard try secure() else { return nil }
        let early = beginEarly([], as: guess)
        defer { early?.end() }
        try identify()
        try readFacts(try sniffed(by: early), early: early)
        guard source.isUnchanged else { return nil }
        keep()
        return finished
    }

    /// The source's digest, once it is known.
    var digest: Digest? { if case .digest(let value) = key { value } else { nil } }

    var missing: [Int] { results.indices.filter { results[$0] == nil } }

    private var finished: Thumbnails {
        Thumbnails(
            recipes: order.recipes, results: results.map { $0! }, digest: digest, facts: facts,
            placeholder: placeholder, isCached: isCached, peakByteCount: peakByteCount, timings: timings)
    }

    /// Recipes of one page and one moment: what one decode can serve.
    var groups: [[Int]] {
        var groups: [[Int]] = []
        for index in missing {
            let recipe = order.recipes[index]
            let home = groups.firstIndex { group in
                let first = order.recipes[group[0]]
                return first.pageIndex == recipe.pageIndex && first.time == recipe.time
            }
            if let home { groups[home].append(index) } else { groups.append([index]) }
        }
        return groups
    }
}
