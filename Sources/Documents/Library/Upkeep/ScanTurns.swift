internal import Linux
internal import Media
internal import Synchronization

/// The objects that are being scanned, so that several threads share the work, and those whose scan is put off.
final class ScanTurns: Sendable {
    private struct State {
        var taken: Set<ObjectID> = []
        /// When, by the monotonic clock, an object's turn comes again.
        var due: [ObjectID: Duration] = [:]
    }

    private let state = Mutex(State())

    /// Takes an object; `false` where another thread has it, or its scan is put off.
    func take(_ id: ObjectID) -> Bool {
        state.withLock { state in
            if let due = state.due[id], Time.monotonic < due { return false }
            return state.taken.insert(id).inserted
        }
    }

    func leave(_ id: ObjectID) { state.withLock { _ = $0.taken.remove(id) } }

    /// Puts off the next scan of an object: every change of any document wakes the threads, and a file that the scanner refuses,
    /// as one over its limit, would be sent to it each time.
    func putOff(_ id: ObjectID) {
        let now = Time.monotonic
        state.withLock { state in
            state.due = state.due.filter { $0.value > now }
            state.due[id] = now + Self.pause
        }
    }

    private static let pause: Duration = .seconds(60)
}
