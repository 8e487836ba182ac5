/// A busy worker's word that it takes a suspected job next, and claims nothing until its other jobs have ended.
struct Reservation: Hashable, Sendable {
    let worker: String
    let job: JobID
    let made: QueueInstant

    /// What a reservation means at a moment.
    enum Phase {
        /// The worker claims nothing else; other busy workers pass the job over.
        case binding
        /// A job of the worker's did not end in time, as one that hangs: for a while the worker passes suspected jobs over.
        case missed
        /// It means nothing any more.
        case over
    }

    func phase(at now: QueueInstant, _ policy: QueuePolicy) -> Phase {
        let age = now - made
        // A clock that was put back must not bind a worker for longer.
        if age < .zero || age >= policy.drainPatience * 2 { return .over }
        return age < policy.drainPatience ? .binding : .missed
    }

    /// When the phase changes next.
    func nextChange(after now: QueueInstant, _ policy: QueuePolicy) -> QueueInstant? {
        [made + policy.drainPatience, made + policy.drainPatience * 2].first { $0 > now }
    }
}
