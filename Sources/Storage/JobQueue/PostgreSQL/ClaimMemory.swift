internal import Synchronization

/// The state that a program keeps between claims, so that a claim begins at the point where the last one ended.
///
/// A claimed job leaves its entry in the index of waiting jobs until the server vacuums. The server cannot do that
/// while any other transaction stays open. A claim that began at the front would read all of these entries. Some jobs
/// return to the front, such as the jobs of a dead worker. A full search finds them: the first claim in each `span`
/// does one, and so does each claim that finds nothing else. If such a search takes long, the next one is postponed, so
/// that a transaction that stays open for minutes costs little.
final class ClaimMemory: Sendable {
    /// The point at which the unclaimed jobs of a kind and priority begin.
    struct Start: Hashable {
        let kind: JobKind
        let priority: Priority
        /// The last job that was claimed.
        var last: Place = Place(turn: -1, id: -1)
    }

    /// A place in the order of the jobs of one kind and priority.
    struct Place: Hashable, Comparable {
        let turn: Int64
        let id: Int64

        static func < (one: Place, other: Place) -> Bool { (one.turn, one.id) < (other.turn, other.id) }
    }

    private struct State {
        /// The number of jobs claimed, by the lowest priority that the claim accepted.
        var counts: [Priority: Int] = [:]
        /// When a claim last started a full search; `nil` if none has, or if a job may have returned.
        var looked: QueueInstant?
        /// How long that search is sufficient.
        var span = ClaimMemory.shortestSpan
        var starts: [Start] = []
        var leases: LookAtLeases?
    }

    /// When a claim looked for expired leases.
    private struct LookAtLeases {
        /// The last look at all leases.
        var whole: QueueInstant
        /// The last look at the leases since the previous look.
        var last: QueueInstant
    }

    private let state = Mutex(State())

    /// How long one full search is sufficient, if it is quick.
    private static let shortestSpan: Duration = .milliseconds(300)
    /// The time within which a claim finds a returned job (of a dead worker, say) while others wait. The same holds for
    /// a job of a kind of which none waited.
    private static let longestSpan: Duration = .seconds(5)
    /// A search that takes longer is slow. The next one comes after twenty times its duration, or after `longestSpan`
    /// at the latest.
    private static let quickLook: Duration = .milliseconds(50)
    /// For this long after a look at all leases, later looks begin at the previous one.
    private static let leaseSpan: Duration = .seconds(60)
    /// The overlap of two looks. So the next look finds a lease that was committed during the previous one, or taken by
    /// another clock.
    private static let leaseOverlap: Duration = .seconds(10)

    /// The points at which a claim begins; `nil` if it must do a full search. Of concurrent claims, one must.
    func starts(at now: QueueInstant) -> [Start]? {
        state.withLock { state in
            if let looked = state.looked, now >= looked, now - looked < state.span { return state.starts }
            state.looked = now
            return nil
        }
    }

    /// The deadline after which a full search looks for expired leases. Earlier leases have been looked at.
    func leaseStart(at now: QueueInstant) -> QueueInstant? {
        guard let leases = state.withLock(\.leases), now >= leases.last, now - leases.whole < Self.leaseSpan else {
            return nil
        }
        return leases.last - Self.leaseOverlap
    }

    /// The result of a claim's full search.
    struct Look {
        let starts: [Start]
        /// Whether a lease had expired. It may remain, for example if another transaction holds it.
        let foundExpired: Bool
        let duration: Duration
    }

    /// - Parameters:
    ///   - now: the claim's time.
    ///   - leaseStart: the result of `leaseStart(at:)` before the claim.
    func note(_ look: Look, at now: QueueInstant, leaseStart: QueueInstant?) {
        state.withLock { state in
            state.starts = look.starts
            state.span = look.duration < Self.quickLook ? Self.shortestSpan : min(look.duration * 20, Self.longestSpan)
            let whole = leaseStart == nil ? now : state.leases?.whole
            state.leases = look.foundExpired ? nil : whole.map { LookAtLeases(whole: $0, last: now) }
        }
    }

    /// Makes the next claim do a full search, because a job may have returned.
    func forget() { state.withLock { $0.looked = nil } }

    /// The number of jobs that this program has claimed with `lowest` as the lowest priority.
    ///
    /// Each program keeps its own count: one shared count would make every claim wait for the previous one. An eighth
    /// of the jobs that each program claims have waited longest, so this holds for all programs together.
    func claimCount(downTo lowest: Priority) -> Int { state.withLock { $0.counts[lowest] ?? 0 } }

    /// - Parameters:
    ///   - claimed: the jobs in the order of their claims. A job whose turn had not come moves no start, because others
    ///     still come before it.
    ///   - movesStarts: `false` for a claim that has skipped jobs which others may claim.
    ///   - now: the claim's time.
    func note(_ claimed: [Job], downTo lowest: Priority, at now: QueueInstant, movesStarts: Bool) {
        state.withLock { state in
            state.counts[lowest, default: 0] &+= claimed.count
            if !movesStarts { return }
            for job in claimed where job.turn <= now {
                let place = Place(turn: job.turn.milliseconds, id: job.id.rawValue)
                for index in state.starts.indices
                where state.starts[index].kind == job.kind && state.starts[index].priority == job.priority {
                    state.starts[index].last = max(state.starts[index].last, place)
                }
            }
        }
    }
}
