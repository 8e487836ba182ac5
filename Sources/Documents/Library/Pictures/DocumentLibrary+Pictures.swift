public import Documents
internal import JobQueue
internal import Linux
internal import Media
public import People
internal import ThumbnailCache
internal import Thumbnailer

extension DocumentLibrary {
    /// A picture that this machine's cache has; `nil` if it must come from elsewhere, or be made. Blocks for no longer
    /// than a disk access.
    ///
    /// - Throws: `notFound` if the file is gone; `quarantined`.
    public func pictureAtHand(_ wanted: WantedPicture) throws(DocumentError) -> Picture? {
        let (document, recipe) = (wanted.document, wanted.recipe)
        _ = try Self.object(of: document)
        wishNeighbours(of: recipe, of: document, isVisited: wanted.isVisited)
        if let picture = keptPicture(of: document, recipe) { return picture }
        guard let standIn = wanted.standIn, case .ready(let stored)? = keptPicture(of: document, standIn) else {
            return nil
        }
        ahead.wish(for: recipe, of: document, isLast: wanted.isVisited)
        return .ready(stored)
    }

    /// A picture from this machine's cache, or another machine's.
    func cachedPicture(of document: Document, _ recipe: Recipe) -> Picture? {
        keptPicture(of: document, recipe) ?? sharedPicture(of: document, recipe).map { .ready($0) }
    }

    private func keptPicture(of document: Document, _ recipe: Recipe) -> Picture? {
        let found = cache.lookup(.digest(document.file.digest), recipe: recipe) { [engine] in
            engine.build(for: document.file.mediaType)
        }
        switch found {
        case .hit(let stored): return .ready(stored)
        case .failure(let stored): return .failed(stored.failure)
        case .miss: return nil
        }
    }

    /// A picture that another machine has made. If the shared pictures fail, it is made here, so a fault is a warning.
    private func sharedPicture(of document: Document, _ recipe: Recipe) -> StoredRendition? {
        guard let shared else { return nil }
        do throws(Failure) {
            return try cache.take(recipe, of: document.file.digest, from: shared)
        } catch {
            warn(.unavailable(detail: error.detail))
            return nil
        }
    }

    /// A picture from the cache, or made now by a worker of this process or another one.
    ///
    /// One job makes it, however many ask for it. Waiting holds no thread.
    ///
    /// - Parameters:
    ///   - patience: time limit of the answer.
    ///   - work: runs what blocks: one call for a cached picture.
    ///   - store: runs requests for the pictures of other machines, whose store may not respond.
    ///   - turn: for a visitor, waits for a turn before anything is made; `nil` for people who have signed in.
    ///   - find: returns the wanted picture. It may block.
    /// - Throws: `DocumentError`, or what `work`, `turn` and `find` throw.
    public func picture(
        patience: Duration, on work: some BlockingWork, store: some BlockingWork,
        turn: (@Sendable () async throws -> MeteredTurn)? = nil,
        _ find: @escaping @Sendable () throws -> WantedPicture
    ) async throws -> (wanted: WantedPicture, picture: Picture) {
        let (wanted, atHand) = try await work.run { [self] in
            let wanted = try find()
            return (wanted, try pictureAtHand(wanted))
        }
        if let atHand { return (wanted, atHand) }
        if let picture = try await sharedPicture(wanted, on: store) { return (wanted, picture) }
        let start = Time.monotonic
        let visit = visits.has(VisitorPictures.Name(wanted)) ? nil : try await turn?()
        // Other visitors of the same picture may have waited first.
        if visit != nil, let made = try await work.run({ [self] in try pictureAtHand(wanted) }) {
            visit?.end()
            return (wanted, made)
        }
        guard let (job, ticket) = try await work.run({ [self] in try ordered(wanted, by: visit) }) else {
            return (wanted, .pending(retryAfter: Self.retryPause))
        }
        await desk.wait(ticket, atMost: max(patience - (Time.monotonic - start), .zero))
        if let made = try await work.run({ [self] in madePicture(wanted) }) { return (wanted, made) }
        if let picture = try await sharedPicture(wanted, on: store) { return (wanted, picture) }
        return (wanted, try await work.run { [self] in try outcome(of: job) })
    }

    /// A picture that another machine has made, or else its stand-in; `nil` at once if machines share none.
    private func sharedPicture(_ wanted: WantedPicture, on store: some BlockingWork) async throws -> Picture? {
        guard shared != nil else { return nil }
        return try await store.run { [self] in
            let document = wanted.document
            if let stored = sharedPicture(of: document, wanted.recipe) { return .ready(stored) }
            guard let standIn = wanted.standIn, let stored = sharedPicture(of: document, standIn) else { return nil }
            ahead.wish(for: wanted.recipe, of: document, isLast: wanted.isVisited)
            return .ready(stored)
        }
    }

    /// - Parameter visit: a visitor's turn, which the job keeps until its end; `nil` also if the picture has a turn
    ///   already.
    /// - Returns: `nil` if too many of the owner's pictures are awaited.
    private func ordered(
        _ wanted: WantedPicture, by visit: MeteredTurn?
    ) throws(DocumentError) -> (JobID, PictureDesk.Ticket)? {
        let job = try order(
            wanted.recipe, of: try Self.object(of: wanted.document), wanted.isVisited ? .visited : .awaited)
        guard let job else { return nil }
        if let visit { visits.keep(visit, for: VisitorPictures.Name(wanted), until: job) }
        let ticket = desk.take(for: job)
        // The job may have ended before the watcher knew that somebody waits for it.
        do throws(DocumentError) {
            if try isOver(job) {
                desk.end(job)
                visits.end(job)
            }
        } catch {
            desk.leave(ticket)
            throw error
        }
        return (job, ticket)
    }

    private static let retryPause: Duration = .seconds(1)

    /// Queues the picture; an equal waiting job is raised to the urgency. `nil` if too many of the owner's pictures are
    /// awaited.
    func order(_ recipe: Recipe, of object: ObjectID, _ urgency: PictureUrgency) throws(DocumentError) -> JobID? {
        try store.order(recipe, of: object, urgency).map(JobID.init(rawValue:))
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

    /// The picture, if a worker of this machine has made it.
    private func madePicture(_ wanted: WantedPicture) -> Picture? {
        let key = SourceKey.digest(wanted.document.file.digest)
        guard case .hit(let stored) = cache.lookup(key, recipe: wanted.recipe, currentBuild: { nil }) else {
            return nil
        }
        return .ready(stored)
    }

    private func outcome(of job: JobID) throws(DocumentError) -> Picture {
        guard let job = try state(of: job), !job.state.isUnfinished else {
            return .pending(retryAfter: Self.retryPause)
        }
        if let failure = job.lastFailure, job.state == .dead { return .failed(failure) }
        return .pending(retryAfter: Self.retryPause)
    }
}
