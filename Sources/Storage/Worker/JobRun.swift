internal import Hashing
internal import JobQueue
internal import Linux
internal import Media
internal import RenderHost
internal import SourceFiles
internal import ThumbnailCache
internal import Thumbnailer

/// Runs one claimed job: records the attempt, does its work, and tells the queue the outcome.
struct JobRun {
    private let worker: Worker
    private let claimed: ClaimedJob
    private let start = Time.monotonic
    private var report: JobReport
    /// Whether the decoded bytes are the hashed bytes, so that a crash counts against no other content.
    private var isDigestSure = false

    init(_ worker: Worker, _ claimed: ClaimedJob) {
        self.worker = worker
        self.claimed = claimed
        report = JobReport(claimed)
    }

    mutating func perform() -> JobReport {
        do throws(QueueError) {
            report.attempt = try attemptNumber()
            try end(with: Result { () throws(Failure) in try make() })
        } catch {
            // The lease is lost or the queue is given up: the job has no failure of its own.
            report.outcome = worker.isAbandoned ? .released : .leaseLost
            if report.failure == nil { report.failure = error.failure }
        }
        report.duration = Time.monotonic - start
        return report
    }

    private func attemptNumber() throws(QueueError) -> Int {
        if let attempt = claimed.attempt { return attempt }
        return try persistently { (queue) throws(QueueError) in try queue.recordAttempt(claimed.token) }
    }

    // MARK: The work

    /// Makes and stores the renditions, or does the work of another kind.
    private mutating func make() throws(Failure) {
        let job = claimed.job
        if let work = worker.works[job.kind] { return try work(job) { () throws(Failure) in try open(job.source) } }
        guard job.kind == .renditions else {
            throw Failure(.usage, message: "This worker does not know jobs of the kind \(job.kind).")
        }
        let source = try secured(open(job.source))
        let digest = try hash(source)
        isDigestSure = source.isSecure
        if let expected = job.digest, expected != digest { throw Self.changed }
        if let digest { try refusePoison(digest) }
        var entry = digest.flatMap { digest in
            worker.shared.map { SharedEntry(of: digest, in: worker.cache, and: $0) }
        }
        // If that fails, everything is made here; an unreachable store shows when the renditions are shared.
        try? entry?.take(job.recipes)
        let order = Order(
            recipes: job.recipes, wantsDigest: digest != nil, knownDigest: digest, retriesTransientFailures: true)
        let thumbnails = try worker.engine.thumbnails(of: source, order: order)
        note(thumbnails)
        if let expected = job.digest, expected != thumbnails.digest { throw Self.changed }
        try check(thumbnails)
        try entry?.share(job.recipes)
    }

    private func open(_ source: JobSource) throws(Failure) -> SourceFile {
        switch source {
        case .path(let path): return try worker.roots.open(path)
        case .object(let key):
            guard let openObject = worker.openObject else {
                throw Failure(.usage, message: "This worker reads only files of this machine, no object store.")
            }
            return try openObject(key)
        case .address(let address):
            guard let openAddress = worker.openAddress else {
                throw Failure(
                    .usage, message: "This worker does not read files from other machines (setting remote-sources).")
            }
            return try openAddress(address)
        }
    }

    /// The source with bytes that cannot change while they are hashed and decoded. A file that others may write to is
    /// copied, unless the cache has all renditions for the digest that the stat index knows.
    private func secured(_ source: SourceFile) throws(Failure) -> SourceFile {
        if source.isSecure { return source }
        if case .digest = worker.cache.statIndex.key(for: source.status),
            try worker.engine.lacking(claimed.job.recipes, of: source).recipes.isEmpty
        {
            return source
        }
        return try worker.engine.secured(source)
    }

    /// The source's digest: known with it, from the stat index, or computed now. `nil` for a large remote source that
    /// was queued without a digest: only the parts that are drawn are fetched.
    private mutating func hash(_ source: SourceFile) throws(Failure) -> Digest? {
        let begin = Time.monotonic
        let host = worker.host
        let digest: Digest
        if source.ranged != nil {
            if case .local = source.rangedKey, claimed.job.digest == nil,
                source.byteCount > worker.engine.maxUnhashedByteCount
            {
                return nil
            }
            digest = try source.digest { host.isCancelled }
        } else if !source.isCopy, case .digest(let known) = worker.cache.statIndex.key(for: source.status) {
            digest = known
        } else {
            digest = try SHA256.digest(of: source.descriptor) { host.isCancelled }
            // The digest of a file that changed meanwhile belongs to neither content.
            guard source.isUnchanged else {
                throw Failure(.unavailable, message: "File changed while it was being read. It will be retried.")
            }
        }
        report.timings.append(Attempt.Timing(step: "digest", milliseconds: (Time.monotonic - begin).milliseconds))
        report.digest = digest
        return digest
    }

    private func refusePoison(_ digest: Digest) throws(Failure) {
        let build = worker.builds.text
        let isPoisoned: Bool
        do throws(QueueError) {
            isPoisoned = try persistently { (queue) throws(QueueError) in
                try queue.isPoisoned(digest, build: build)
            }
        } catch {
            throw error.failure
        }
        if isPoisoned { throw Self.poisoned }
    }

    private mutating func note(_ thumbnails: Thumbnails) {
        report.isCached = thumbnails.isCached
        report.digest = thumbnails.digest ?? report.digest
        report.timings += thumbnails.timings.steps.map {
            Attempt.Timing(step: $0.name, milliseconds: $0.duration.milliseconds)
        }
    }

    /// Throws the reason why the job is not done: a failed rendition, or else one that the cache did not take.
    private func check(_ thumbnails: Thumbnails) throws(Failure) {
        let failures = thumbnails.results.compactMap { result in
            if case .failure(let failure) = result { failure } else { nil }
        }
        // A retryable failure comes first: it keeps the job alive.
        if let failure = failures.first(where: { isRetryable($0) }) ?? failures.first { throw failure }
        for case .success(let stored) in thumbnails.results where stored.path == nil {
            throw Failure(.unavailable, message: "The cache cannot be written.", detail: Self.unkept)
        }
    }

    // MARK: The end

    private mutating func end(with result: Result<Void, Failure>) throws(QueueError) {
        let token = claimed.token
        switch result {
        case .success:
            let outcome = JobOutcome(digest: report.digest, timings: report.timings)
            try persistently { (queue) throws(QueueError) in try queue.complete(token, outcome) }
            report.outcome = .done
        case .failure(let failure):
            report.failure = failure
            if failure.code == .cancelled || isOfDependency(failure) {
                try giveBack()
            } else {
                try fail(failure)
            }
        }
    }

    /// Whether an unwritable cache or an unreachable store is at fault, not the job; that is recorded.
    private func isOfDependency(_ failure: Failure) -> Bool {
        if failure.detail == Self.unkept {
            _ = worker.health.note(.cache, reason: failure.message)
            return true
        }
        guard let shared = worker.shared, failure.code == .unavailable || failure.code == .timedOut else {
            return false
        }
        // One unreadable object is the job's own fault, so the store itself is probed.
        do throws(Failure) {
            try shared.probe()
            return false
        } catch {
            _ = worker.health.noteStore(error)
            return true
        }
    }

    /// Gives the job back with nothing counted against it. The worker claims again when cache and store can be used.
    /// What the cache then has is not made again, and is kept for other machines.
    private mutating func giveBack() throws(QueueError) {
        let token = claimed.token
        try persistently { (queue) throws(QueueError) in try queue.release(token) }
        report.outcome = .released
    }

    private mutating func fail(_ failure: Failure) throws(QueueError) {
        let (token, timings) = (claimed.token, report.timings)
        var isRetryable = isRetryable(failure)
        if failure.code == .crashed, failure.detail != RenderHost.rendererEndedDetail, let digest = report.digest,
            isDigestSure, isRetryable
        {
            let build = worker.builds.text
            let isPoisoned = try persistently { (queue) throws(QueueError) in
                try queue.recordCrash(of: digest, build: build)
            }
            isRetryable = !isPoisoned
        }
        let state = try persistently { (queue) throws(QueueError) in
            try queue.fail(token, failure, isRetryable: isRetryable, timings: timings)
        }
        report.outcome = state == .dead ? .dead : .retrying
    }

    /// Whether a retry may succeed.
    private func isRetryable(_ failure: Failure) -> Bool {
        if failure == Self.poisoned { return false }
        return switch failure.code {
        case .unavailable, .crashed: true
        // Content that needs more time than allowed needs it again, and would hold a slot for as long again.
        case .timedOut: false
        // The machine may have been short of memory, so one retry.
        case .tooLarge: failure.isTransient && claimed.job.failureCount == 0
        default: false
        }
    }

    /// Retries an operation on the queue until the queue can be used; gives up when the drain is over.
    @discardableResult
    private func persistently<Answer>(
        _ body: (any JobQueue) throws(QueueError) -> Answer
    ) throws(QueueError) -> Answer {
        while true {
            do throws(QueueError) {
                let answer = try worker.connection.use(body)
                worker.health.clear(.queue)
                return answer
            } catch {
                guard error.isTrouble, !worker.isAbandoned else { throw error }
                Time.sleep(min(worker.health.note(.queue, reason: error.description), Self.longestPause))
            }
        }
    }

    /// Short, so that the queue soon learns of completed work.
    private static let longestPause: Duration = .seconds(1)

    private static let unkept = "a rendition could not be stored"

    private static let changed = Failure(
        .sourceMissing, message: "File has changed since it was queued. Queue it again.",
        detail: "the digest is different")

    private static let poisoned = Failure(
        .crashed,
        message: "File crashed its renderer repeatedly. It is retried when a renderer is upgraded.",
        detail: "poisoned content")
}
