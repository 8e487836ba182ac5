import JobQueue
import Synchronization

/// A clock that only the test moves.
final class ManualClock: QueueClock {
    private let instant = Mutex(QueueInstant(milliseconds: 1_800_000_000_000))

    var now: QueueInstant { instant.withLock { $0 } }

    func advance(_ duration: Duration) { instant.withLock { $0 = $0 + duration } }
}
