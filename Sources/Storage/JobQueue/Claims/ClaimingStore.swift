/// A driver's part in a claim; each call runs inside one transaction.
protocol ClaimingStore {
    /// The number of jobs that a worker has leased, and whether it holds one of them alone.
    func holdings(of worker: String) throws -> (jobCount: Int, isAlone: Bool)

    /// All reservations; usually none.
    func reservations() throws -> [Reservation]

    /// Replaces a worker's reservation, or removes it.
    mutating func setReservation(_ reservation: Reservation?, of worker: String) throws

    /// The priority of a job; `nil` if the job cannot be claimed now.
    mutating func priorityIfWaiting(_ id: JobID, at now: QueueInstant) throws -> Priority?

    /// The number of jobs claimed so far with `lowest` as the lowest priority.
    func claimCount(downTo lowest: Priority) throws -> Int
    /// Stores the number of jobs claimed with `lowest` as the lowest priority.
    mutating func setClaimCount(_ count: Int, downTo lowest: Priority) throws

    /// The job whose turn it is; `nil` if none waits.
    mutating func next(_ turn: Turn, at now: QueueInstant) throws -> (id: JobID, isSuspected: Bool)?

    /// Moves the next waiting job of a party and priority up to a turn, if the job is behind it.
    func moveUp(_ party: String, at priority: Priority, to turn: QueueInstant) throws

    /// Leases a waiting job.
    ///
    /// - Returns: `nil` if the job could not be read; it is then a dead letter.
    mutating func lease(
        _ id: JobID, to worker: String, for duration: Duration, at now: QueueInstant
    ) throws -> Job?
}

/// The rule by which the next waiting job is chosen.
struct Turn: Hashable {
    /// The least urgent priority to claim.
    let lowest: Priority
    /// Whether the job that has waited longest is next, instead of the most urgent one.
    let isFair: Bool
    /// The suspected jobs that other workers have reserved.
    let passedOver: Set<JobID>
    /// Whether suspected jobs are skipped.
    let passesSuspects: Bool
    /// The parties whose jobs are skipped.
    let passedParties: Set<String>
}
