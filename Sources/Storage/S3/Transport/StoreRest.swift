internal import Linux
internal import Synchronization

/// Keeps the requests of a client from a store that does not answer: for some seconds they fail at once, then one caller finds out
/// whether the store is back.
final class StoreRest: Sendable {
    /// What a request may do.
    enum Turn {
        case go
        /// Nobody is to ask now.
        case rest
        /// The caller is to find out, and to say it by `noteAnswer` or `noteSilence`.
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

    /// Notes that the store has answered, whatever it said.
    func noteAnswer() {
        state.withLock { $0 = State(lastAnswer: Time.monotonic) }
    }

    /// Notes that a request has got no answer. Where others have got theirs since it began, the store is there.
    func noteSilence(since began: Duration) {
        guard length > .zero else { return }
        state.withLock { state in
            state.isProbing = false
            if state.lastAnswer < began { state.end = Time.monotonic + length }
        }
    }
}
