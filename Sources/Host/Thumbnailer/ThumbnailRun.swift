internal import Linux
internal import Media
internal import RenderHost
internal import SourceFiles
internal import ThumbnailCache

/// One source's way through a pipeline: everything that passes from step to step.
struct ThumbnailRun {
    let engine: Thumbnailer
    let order: Order

    /// As opened; after `secureSource` with bytes that nobody can change.
    var source: SourceFile
    /// The caller's digest of the source, while it is valid.
    var knownDigest: Digest?
    /// The part whose text is read, in a run for a text.
    let textPart: TextPart?
    /// How many further pages' texts may be read with it.
    let furtherPageCount: Int
    /// The further pages' texts that were read with it.
    var furtherPages: [PageText] = []
    /// The text of that part, or the failure that belongs to the content, as soon as it is known.
    var text: Result<SourceText, Failure>?
    /// The key of the source's entry in the cache, when it is known.
    var key: SourceKey?

    /// The media type that name and first bytes suggest.
    var guess: MediaType?
    /// The rendering that begins before the source is hashed or recognised.
    var early: EarlyRendering?
    /// The locks on the file, from before the source was hashed, and those on its key.
    var fileLocks: SingleFlight.Hold?
    var keyLocks: SingleFlight.Hold?

    /// The facts from the signature readers or the sniffer, after the source was opened.
    var sniffed: Facts?
    /// The facts, and the placeholder, for the answer.
    var facts: Facts?
    var placeholder: String?
    /// A rendition or failure for each recipe that has one, in order.
    var results: [Result<StoredRendition, Failure>?]
    /// The renditions that this run made: `store` turns them into results.
    var made: [(index: Int, rendition: Rendition)] = []
    /// The build of the renderer that served, for the records.
    var build = Thumbnailer.ownBuild

    /// The peak memory of the largest child.
    var peakByteCount: UInt64?
    var timings = Timings()

    init(
        _ engine: Thumbnailer, _ source: SourceFile, _ order: Order, knownDigest: Digest? = nil,
        textPart: TextPart? = nil, furtherPageCount: Int = 0
    ) {
        self.textPart = textPart
        self.furtherPageCount = furtherPageCount
        self.engine = engine
        self.source = source
        self.order = order
        self.knownDigest = knownDigest
        results = Array(repeating: nil, count: order.recipes.count)
    }

    /// Takes all steps of a list that ends with `answer`; `nil` if the source changed meanwhile.
    mutating func result(of steps: [Pipeline.Step]) throws(Failure) -> Thumbnails? {
        // A rendering may have begun in vain: the cache had the answer by then, or a step failed.
        defer {
            keyLocks?.release()
            early?.end()
            fileLocks?.release()
        }
        guard case .answered(let thumbnails) = try take(steps) else { return nil }
        return thumbnails
    }

    /// Takes the steps up to the first that ends the run.
    mutating func take(_ steps: [Pipeline.Step]) throws(Failure) -> Pipeline.Progress {
        for step in steps {
            let progress = try step.take(&self)
            guard case .ongoing = progress else { return progress }
        }
        return .ongoing
    }
}

extension ThumbnailRun {
    /// The source's digest, when it is known.
    var digest: Digest? { if case .digest(let value) = key { value } else { nil } }

    /// The recipes without a result.
    var missing: [Int] { results.indices.filter { results[$0] == nil } }

    /// The missing recipes, grouped by page and time: one decode serves a group.
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

    /// Whether the client of the run has left.
    var isCancelled: Bool { engine.host.isCancelled || order.cancellation?.isCancelled == true }

    /// The answer, if no result is missing.
    var finished: Thumbnails {
        Thumbnails(
            recipes: order.recipes, results: results.map { $0! }, digest: digest, facts: facts,
            placeholder: placeholder, isCached: sniffed == nil, peakByteCount: peakByteCount, timings: timings)
    }
}
