public import Documents
internal import JobQueue
public import Media
internal import ThumbnailCache
internal import Thumbnailer

extension DocumentLibrary {
    /// A picture that the cache has; `nil` where it must be made.
    public func cachedPicture(of document: Document, _ recipe: Recipe) -> Picture? {
        let found = cache.lookup(.digest(document.file.digest), recipe: recipe) { [engine] in
            engine.build(for: document.file.mediaType)
        }
        switch found {
        case .hit(let stored): return .ready(stored.rendition)
        case .failure(let stored): return .failed(stored.failure)
        case .miss: return nil
        }
    }

    /// A picture from the cache, or made now by a worker of this process or another one.
    ///
    /// However many ask for it, one job makes it. Waiting holds no thread.
    ///
    /// - Parameters:
    ///   - standIn: another format of the picture, which is answered where the cache has this one alone; the right one is then
    ///     made while nobody waits.
    ///   - patience: how long the answer may take.
    ///   - work: runs what blocks.
    /// - Throws: `DocumentError`, `CancellationError`, or what `work` throws.
    public func picture(
        of document: Document, _ recipe: Recipe, standIn: Recipe? = nil, patience: Duration, on work: some BlockingWork
    ) async throws -> Picture {
        try requireServed(document)
        wishNeighbours(of: recipe, of: document)
        let found = try await work.run { [self] in try cachedOrOrdered(recipe, or: standIn, of: document) }
        switch found {
        case .cached(let picture): return picture
        case .ordered(let job, let ticket):
            await desk.wait(ticket, atMost: patience)
            // A caller who has left waits no longer, and asks the database nothing.
            try Task.checkCancellation()
            return try await work.run { [self] in try outcome(of: job, document, recipe) }
        }
    }

    private enum Found: Sendable {
        case cached(Picture)
        case ordered(JobID, PictureDesk.Ticket)
    }

    private func cachedOrOrdered(
        _ recipe: Recipe, or standIn: Recipe?, of document: Document
    ) throws(DocumentError) -> Found {
        if let picture = cachedPicture(of: document, recipe) { return .cached(picture) }
        if let standIn, case .ready(let rendition)? = cachedPicture(of: document, standIn) {
            ahead.wish(for: recipe, of: document)
            return .cached(.ready(rendition))
        }
        let job = try order(recipe, of: document, priority: .interactive)
        let ticket = desk.take(for: job)
        // The job may have ended before the watcher knew that somebody waits for it.
        do throws(DocumentError) {
            if try isOver(job) { desk.end(job) }
        } catch {
            desk.leave(ticket)
            throw error
        }
        return .ordered(job, ticket)
    }

    private static let retryPause: Duration = .seconds(1)

    /// Queues the picture; an equal job that waits is raised to the priority.
    func order(_ recipe: Recipe, of document: Document, priority: Priority) throws(DocumentError) -> JobID {
        do throws(QueueError) {
            return try queue.enqueue(
                JobRequest(
                    source: .object(document.file.path), digest: document.file.digest, recipes: [recipe],
                    priority: priority)
            ).id
        } catch {
            throw .unavailable(detail: "queue: \(error)")
        }
    }

    /// Whether a job has ended.
    func isOver(_ job: JobID) throws(DocumentError) -> Bool {
        try state(of: job).map { !$0.state.isUnfinished } ?? true
    }

    private func state(of job: JobID) throws(DocumentError) -> Job? {
        do throws(QueueError) {
            return try queue.show(job).job
        } catch {
            if case .noSuchJob = error { return nil }
            throw .unavailable(detail: "queue: \(error)")
        }
    }

    private func outcome(of job: JobID, _ document: Document, _ recipe: Recipe) throws(DocumentError) -> Picture {
        if case .hit(let stored) = cache.lookup(.digest(document.file.digest), recipe: recipe, currentBuild: { nil }) {
            return .ready(stored.rendition)
        }
        guard let job = try state(of: job), !job.state.isUnfinished else {
            return .pending(retryAfter: Self.retryPause)
        }
        if let failure = job.lastFailure, job.state == .dead { return .failed(failure) }
        return .pending(retryAfter: Self.retryPause)
    }
}
