import Linux
import Synchronization

/// A wall clock that a test moves.
final class TestClock: Sendable {
    private let time = Mutex(Time.wall)

    var now: Int64 { time.withLock { $0 } }

    func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        time.withLock { $0 += seconds * 1_000_000_000 + attoseconds / 1_000_000_000 }
    }
}
