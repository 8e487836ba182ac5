internal import Linux
internal import Synchronization

/// Keeps a client's requests away from a store that does not answer. For some seconds they fail immediately. Then one
/// caller checks whether the store is reachable again.
final class StoreRest: Sendable {
    /// What a request may do.
    enum Turn {
        case go
        /// The request must fail now.
        case rest
        /// The caller must check the store, and report with `noteAnswer` or `noteSilence`.
        case probe
    }

    private struct State {
        var lastAnswer = Duration.zero
        /// `nil` while the store answers.
        var end: Duration?
        var isProbing = false
    }

    private let state = Mutex(State())
    private let length: Duration

    init(_ length: Duration) { self.length = length }

    func turn() -> Turn {
        state.withLock { state in
            guard let end = state.end else { return .go }
            guard Time.monotonic >= end, !state.isProbing else { return .rest }
            state.isProbing = true
            return .probe
        }
    }

    /// Notes that the store has answered, whatever the answer.
    func noteAnswer() {
        state.withLock { $0 = State(lastAnswer: Time.monotonic) }
    }

    /// Notes that a request got no answer. If another request has got one since this one began, the store is reachable.
    func noteSilence(since began: Duration) {
        guard length > .zero else { return }
        state.withLock { state in
            state.isProbing = false
            if state.lastAnswer < began { state.end = Time.monotonic + length }
        }
    }
}
