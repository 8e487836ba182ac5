/// The steps of a job at which a worker is killed.
enum KillPoint: String, CaseIterable {
    case afterClaim = "after-claim"
    case beforeAttempt = "before-attempt"
    case afterAttempt = "after-attempt"
    case duringRender = "during-render"
    case afterStore = "after-store"
    case duringComplete = "during-complete"
    case afterComplete = "after-complete"

    /// The longest time, in microseconds, that it dies after the step has begun; `nil`: at once.
    var longestDelay: Int64? {
        switch self {
        case .duringRender: 40_000
        case .duringComplete: 400
        default: nil
        }
    }
}

/// What of the safeguards is switched off: the audit must notice.
enum ChaosMode: String {
    case fenced
    /// A stale token's word counts as if it were the current one's.
    case unfenced
    /// A job is completed before its renditions are stored.
    case hasty
}
