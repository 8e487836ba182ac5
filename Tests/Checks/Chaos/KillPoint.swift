/// The steps of a job at which a worker is killed.
enum KillPoint: String, CaseIterable {
    case afterClaim = "after-claim"
    case beforeAttempt = "before-attempt"
    case afterAttempt = "after-attempt"
    case duringRender = "during-render"
    case afterStore = "after-store"
    case duringComplete = "during-complete"
    case afterComplete = "after-complete"

    /// The longest delay in microseconds from the beginning of the step to the death; `nil`: no delay.
    var longestDelay: Int64? {
        switch self {
        case .duringRender: 40_000
        case .duringComplete: 400
        default: nil
        }
    }
}

/// The safeguard that is switched off; the audit must notice.
enum ChaosMode: String {
    case fenced
    /// A stale token is accepted like the current one.
    case unfenced
    /// A job is completed before its renditions are stored.
    case hasty
}
