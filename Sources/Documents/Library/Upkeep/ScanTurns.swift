internal import Linux
internal import Media
internal import Synchronization

/// The objects that are being scanned, so that several threads share the work, and those whose scan is postponed.
final class ScanTurns: Sendable {
    private struct State {
        var taken: Set<ObjectID> = []
        /// When, by the monotonic clock, an object may be scanned again.
        var due: [ObjectID: Duration] = [:]
    }

    private let state = Mutex(State())

    /// Takes an object; `false` if another thread has it, or its scan is postponed.
    func take(_ id: ObjectID) -> Bool {
        state.withLock { state in
            if let due = state.due[id], Time.monotonic < due { return false }
            return state.taken.insert(id).inserted
        }
    }

    func leave(_ id: ObjectID) { state.withLock { _ = $0.taken.remove(id) } }

    /// Postpones the next scan of an object. Every change of any document wakes the threads, and would send a refused
    /// file, such as one over the scanner's limit, each time.
    func putOff(_ id: ObjectID) {
        let now = Time.monotonic
        state.withLock { state in
            state.due = state.due.filter { $0.value > now }
            state.due[id] = now + Self.pause
        }
    }

    private static let pause: Duration = .seconds(60)
}
