internal import Synchronization

/// What a program remembers from one claim to the next, so that a claim begins where the last one ended.
///
/// A claimed job leaves its entry in the index of waiting jobs until the server tidies up, which it cannot while any other transaction
/// stays open. A claim that began at the front would read all of these entries. Jobs that have come back to the front, such as
/// those of a dead worker, are found by a claim that looks at everything: the first one in each `span`, and each that finds nothing
/// else. Where such a look takes long, the next one is put off, so that a transaction that stays open for minutes costs little.
final class ClaimMemory: Sendable {
    /// Where the jobs of a kind and priority begin that nobody has claimed.
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
        /// How many jobs were claimed down to each priority.
        var counts: [Priority: Int] = [:]
        /// When a claim set out to look at everything; `nil` before, and where a job may have come back.
        var looked: QueueInstant?
        /// How long that look is enough.
        var span = ClaimMemory.shortestSpan
        var starts: [Start] = []
        var leases: LookAtLeases?
    }

    /// When leases that have run out were looked for.
    private struct LookAtLeases {
        /// All of them.
        var whole: QueueInstant
        /// Those since the look before.
        var last: QueueInstant
    }

    private let state = Mutex(State())

    /// How long one look at everything is enough, if it is quick.
    private static let shortestSpan: Duration = .milliseconds(300)
    /// A job that came back, as a dead worker's, or one of a kind of which none waited, is found no later than this while others wait.
    private static let longestSpan: Duration = .seconds(5)
    /// A look that takes longer is slow: the next one comes after twenty times as long, or after `longestSpan`.
    private static let quickLook: Duration = .milliseconds(50)
    /// How long leases are looked for where the look before has ended.
    private static let leaseSpan: Duration = .seconds(60)
    /// A lease that was committed during a look, or taken by another clock, is found by the next one.
    private static let leaseOverlap: Duration = .seconds(10)

    /// Where a claim begins; `nil` where it has to look at everything. Of claims beside each other one has to.
    func starts(at now: QueueInstant) -> [Start]? {
        state.withLock { state in
            if let looked = state.looked, now >= looked, now - looked < state.span { return state.starts }
            state.looked = now
            return nil
        }
    }

    /// The deadline behind which a claim that looks at everything looks for leases that have run out: leases before it were looked for.
    func leaseStart(at now: QueueInstant) -> QueueInstant? {
        guard let leases = state.withLock(\.leases), now >= leases.last, now - leases.whole < Self.leaseSpan else {
            return nil
        }
        return leases.last - Self.leaseOverlap
    }

    /// What a claim found that has looked at everything.
    struct Look {
        let starts: [Start]
        /// Whether a lease had run out. It may be left, as one that another transaction holds.
        let foundExpired: Bool
        let duration: Duration
    }

    /// - Parameters:
    ///   - now: the claim's time.
    ///   - leaseStart: what `leaseStart(at:)` told it then.
    func note(_ look: Look, at now: QueueInstant, leaseStart: QueueInstant?) {
        state.withLock { state in
            state.starts = look.starts
            state.span = look.duration < Self.quickLook ? Self.shortestSpan : min(look.duration * 20, Self.longestSpan)
            let whole = leaseStart == nil ? now : state.leases?.whole
            state.leases = look.foundExpired ? nil : whole.map { LookAtLeases(whole: $0, last: now) }
        }
    }

    /// Has the next claim look at everything: a job may have come back.
    func forget() { state.withLock { $0.looked = nil } }

    /// How many jobs this program has claimed down to a priority.
    ///
    /// Each program counts for itself: one count for all would make every claim wait for the one before. Of the jobs that each program
    /// claims, an eighth has waited longest, so this holds for all of them together.
    func claimCount(downTo lowest: Priority) -> Int { state.withLock { $0.counts[lowest] ?? 0 } }

    /// - Parameters:
    ///   - claimed: in the order of their claims. Those whose turn had not come move no start: others come before them still.
    ///   - movesStarts: `false` for a claim that has passed over jobs which others may claim.
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
