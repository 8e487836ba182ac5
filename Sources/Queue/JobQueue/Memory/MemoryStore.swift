internal import Media

/// The jobs of an `InMemoryQueue`; every look-up is a search through all jobs.
struct MemoryStore {
    private(set) var jobs: [JobID: Job] = [:]
    private(set) var attempts: [JobID: [Attempt]] = [:]
    private(set) var identities: [JobID: JobIdentity] = [:]
    /// The unfinished job of each identity.
    private(set) var unfinished: [JobIdentity: JobID] = [:]
    /// The job of each lease.
    private(set) var tokens: [LeaseToken: JobID] = [:]
    var paused: Set<JobKind> = []
    var crashes: [Digest: PoisonedContent] = [:]
    private var lastID: Int64 = 0
    private var claimCounts: [Priority: Int] = [:]
    private var reserved: [String: Reservation] = [:]

    mutating func enqueue(_ request: JobRequest, at now: QueueInstant) -> Enqueued {
        let identity = request.identity
        if let id = unfinished[identity] {
            change(id) { job, _ in job.priority = max(job.priority, request.priority) }
            return Enqueued(id: id, isDuplicate: true)
        }
        lastID += 1
        let id = JobID(rawValue: lastID)
        jobs[id] = Job(id: id, request: request, at: now)
        identities[id] = identity
        unfinished[identity] = id
        return Enqueued(id: id, isDuplicate: false)
    }

    func job(_ id: JobID) throws(QueueError) -> Job {
        guard let job = jobs[id] else { throw .noSuchJob(id) }
        return job
    }

    /// Changes a job that exists, and updates the indexes over tokens and identities.
    @discardableResult
    mutating func change<Answer>(_ id: JobID, _ body: (inout Job, inout [Attempt]) -> Answer) -> Answer {
        var job = jobs[id]!
        if let lease = job.lease { tokens[lease.token] = nil }
        let answer = body(&job, &attempts[id, default: []])
        jobs[id] = job
        if let lease = job.lease { tokens[lease.token] = id }
        if job.state.isUnfinished {
            unfinished[identities[id]!] = id
        } else if unfinished[identities[id]!] == id {
            unfinished[identities[id]!] = nil
        }
        return answer
    }

    @discardableResult
    mutating func reclaimExpired(at now: QueueInstant, policy: QueuePolicy) -> Int {
        reclaim(at: now, policy: policy) { $0.deadline <= now }
    }

    mutating func reclaim(from worker: String, at now: QueueInstant, policy: QueuePolicy) -> Int {
        reserved[worker] = nil
        return reclaim(at: now, policy: policy) { $0.worker == worker }
    }

    private mutating func reclaim(at now: QueueInstant, policy: QueuePolicy, where isDead: (Job.Lease) -> Bool) -> Int {
        let expired = jobs.values.filter { $0.lease.map(isDead) ?? false }
        for job in expired {
            change(job.id) { job, attempts in
                job.expire(wasAttempted: attempts.last.map { $0.ended == nil } ?? false, at: now, policy: policy)
                attempts.closeLast(.workerDied, at: now, failure: Job.workerDeath)
            }
        }
        return expired.count
    }

    func status(at now: QueueInstant) -> QueueStatus {
        var counts: [QueueStatus.Count] = []
        let kinds = Set(jobs.values.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
        for kind in kinds {
            for state in JobState.allCases {
                let count = jobs.values.filter { $0.kind == kind && $0.state == state }.count
                if count > 0 { counts.append(QueueStatus.Count(kind: kind, state: state, jobCount: count)) }
            }
        }
        let since = now - .seconds(60 * QueueStatus.rateMinutes)
        let done = jobs.values.filter { $0.state == .done && $0.finished! > since }.count
        return QueueStatus(
            counts: counts, pausedKinds: paused,
            oldestWaiting: jobs.values.filter { $0.state == .available && $0.notBefore <= now }.map(\.notBefore).min(),
            donePerMinute: Double(done) / Double(QueueStatus.rateMinutes))
    }

    func list(_ filter: JobFilter) -> [Job] {
        let fitting = jobs.values.filter { job in
            (filter.state.map { $0 == job.state } ?? true) && (filter.kind.map { $0 == job.kind } ?? true)
                && (filter.before.map { job.id < $0 } ?? true)
        }
        return Array(fitting.sorted { $0.id > $1.id }.prefix(max(0, filter.limit)))
    }

    mutating func prune(before moment: QueueInstant, keepingAtMost count: Int) -> Int {
        let done = jobs.values.filter { $0.state == .done }.sorted { ($0.finished!, $0.id) > ($1.finished!, $1.id) }
        let doomed = done.enumerated().filter { $0.offset >= max(0, count) || $0.element.finished! < moment }
        for (_, job) in doomed {
            jobs[job.id] = nil
            attempts[job.id] = nil
            identities[job.id] = nil
        }
        return doomed.count
    }

    func nextDue(after now: QueueInstant, policy: QueuePolicy) -> QueueInstant? {
        let waiting = jobs.values.filter { $0.state == .available && $0.notBefore > now && !paused.contains($0.kind) }
        let changes = reserved.values.compactMap { $0.nextChange(after: now, policy) }
        return (waiting.map(\.notBefore) + jobs.values.compactMap(\.lease?.deadline) + changes).min()
    }
}

extension MemoryStore: ClaimingStore {
    func holdings(of worker: String) -> (jobCount: Int, isAlone: Bool) {
        let leases = jobs.values.compactMap(\.lease).filter { $0.worker == worker }
        return (leases.count, leases.contains(where: \.isAlone))
    }

    func reservations() -> [Reservation] { Array(reserved.values) }

    mutating func setReservation(_ reservation: Reservation?, of worker: String) { reserved[worker] = reservation }

    func priorityIfWaiting(_ id: JobID, at now: QueueInstant) -> Priority? {
        jobs[id].flatMap { isWaiting($0, at: now) ? $0.priority : nil }
    }

    func claimCount(downTo lowest: Priority) -> Int { claimCounts[lowest] ?? 0 }

    mutating func setClaimCount(_ count: Int, downTo lowest: Priority) { claimCounts[lowest] = count }

    func next(_ turn: Turn, at now: QueueInstant) -> (id: JobID, isSuspected: Bool)? {
        let waiting = jobs.values.filter { job in
            isWaiting(job, at: now) && job.priority >= turn.lowest
                && !(job.isSuspected && (turn.passesSuspects || turn.passedOver.contains(job.id)))
        }
        let next = waiting.min { left, right in
            if !turn.isFair && left.priority != right.priority { return left.priority > right.priority }
            return (left.notBefore, left.id) < (right.notBefore, right.id)
        }
        return next.map { ($0.id, $0.isSuspected) }
    }

    mutating func lease(_ id: JobID, to worker: String, for duration: Duration, at now: QueueInstant) -> Job? {
        change(id) { job, _ in job.claim(by: worker, for: duration, at: now) }
        return jobs[id]
    }

    private func isWaiting(_ job: Job, at now: QueueInstant) -> Bool {
        job.state == .available && job.notBefore <= now && !paused.contains(job.kind)
    }

    /// Whether the end of a lease allows its worker's other slots to claim again.
    func freesOthers(_ lease: Job.Lease?) -> Bool {
        lease.map { $0.isAlone || reserved[$0.worker] != nil } ?? false
    }
}

extension [Attempt] {
    /// Closes the last attempt if it is open.
    mutating func closeLast(
        _ end: Attempt.End, at now: QueueInstant, failure: Failure? = nil, timings: [Attempt.Timing] = []
    ) {
        guard let last = indices.last, self[last].ended == nil else { return }
        self[last].close(end, at: now, failure: failure, timings: timings)
    }
}
