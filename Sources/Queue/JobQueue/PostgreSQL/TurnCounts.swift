internal import Synchronization

/// How many jobs a program has claimed down to each priority.
///
/// Each program counts for itself: one count for all would make every claim wait for the one before. Of the jobs that each program
/// claims, an eighth has waited longest, so this holds for all of them together.
final class TurnCounts: Sendable {
    private let counts = Mutex([Priority: Int]())

    subscript(lowest: Priority) -> Int { counts.withLock { $0[lowest] ?? 0 } }

    func add(_ count: Int, downTo lowest: Priority) { counts.withLock { $0[lowest, default: 0] &+= count } }
}
