/// A busy worker's promise to take a suspected job next, and to claim nothing until its other jobs have ended.
struct Reservation: Hashable, Sendable {
    let worker: String
    let job: JobID
    let made: QueueInstant

    /// The stages of a reservation.
    enum Phase {
        /// The worker claims nothing else, and other busy workers leave the job alone.
        case binding
        /// One of the worker's jobs did not end in time, for example because it hangs. For a while the worker leaves
        /// suspected jobs to others.
        case missed
        /// The reservation has expired.
        case over
    }

    func phase(at now: QueueInstant, _ policy: QueuePolicy) -> Phase {
        let age = now - made
        // A clock that was set back must not bind a worker for longer.
        if age < .zero || age >= policy.drainPatience * 2 { return .over }
        return age < policy.drainPatience ? .binding : .missed
    }

    /// The moment of the next change of phase; `nil` if there is none.
    func nextChange(after now: QueueInstant, _ policy: QueuePolicy) -> QueueInstant? {
        [made + policy.drainPatience, made + policy.drainPatience * 2].first { $0 > now }
    }
}
