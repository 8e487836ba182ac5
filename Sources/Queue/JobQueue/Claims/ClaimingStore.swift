/// What a claim asks of a driver, inside one transaction.
protocol ClaimingStore {
    associatedtype Trouble: Error

    /// How many jobs a worker has leased, and whether it has one of them alone.
    func holdings(of worker: String) throws(Trouble) -> (jobCount: Int, isAlone: Bool)

    /// All reservations; as a rule none.
    func reservations() throws(Trouble) -> [Reservation]

    /// Replaces a worker's reservation, or removes it.
    mutating func setReservation(_ reservation: Reservation?, of worker: String) throws(Trouble)

    /// The priority of a job that may be claimed now; `nil` where it may not.
    func priorityIfWaiting(_ id: JobID, at now: QueueInstant) throws(Trouble) -> Priority?

    /// How many jobs were claimed down to this priority.
    func claimCount(downTo lowest: Priority) throws(Trouble) -> Int
    mutating func setClaimCount(_ count: Int, downTo lowest: Priority) throws(Trouble)

    /// The job whose turn it is.
    func next(_ turn: Turn, at now: QueueInstant) throws(Trouble) -> (id: JobID, isSuspected: Bool)?

    /// Leases a waiting job.
    ///
    /// - Returns: `nil` where it could not be read, and so has become a dead letter.
    mutating func lease(
        _ id: JobID, to worker: String, for duration: Duration, at now: QueueInstant
    ) throws(Trouble) -> Job?
}

/// Which of the waiting jobs is wanted.
struct Turn {
    /// None less urgent.
    let lowest: Priority
    /// The one that has waited longest, instead of the most urgent.
    let isFair: Bool
    /// Suspected jobs that are reserved by other workers.
    let passedOver: Set<JobID>
    /// Whether no suspected job is wanted.
    let passesSuspects: Bool
}
