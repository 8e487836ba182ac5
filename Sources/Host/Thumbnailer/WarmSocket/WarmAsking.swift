/// Decides whether another process is asked for the next source, by its answers to earlier ones.
///
/// A busy process is not asked for the length of a pause. Then one source asks for all, and the others ask again once that one is
/// accepted: a busy process gets one request a pause, however many sources there are.
package struct WarmAsking {
    private let pause: Duration
    private var state = State.asked

    private enum State {
        case asked
        case paused(until: Duration)
        case givenUp
    }

    /// When the process is asked again after a refusal.
    package enum Again {
        /// The refusal concerned this source alone.
        case atOnce
        /// The process was busy, or had trouble of its own.
        case afterPause
        /// Every source would be refused.
        case never
    }

    /// A decision that begins with asking.
    package init(pause: Duration) { self.pause = pause }

    /// Whether the process is never asked again.
    package var isGivenUp: Bool {
        if case .givenUp = state { true } else { false }
    }

    /// Whether a source may ask at this moment of the monotonic clock.
    ///
    /// The first source after a pause may; the next ones wait until it is accepted, or for another pause.
    package mutating func begin(at now: Duration) -> Bool {
        switch state {
        case .asked: return true
        case .givenUp: return false
        case .paused(let end):
            guard now >= end else { return false }
            state = .paused(until: now + pause)
            return true
        }
    }

    /// Notes that a source was accepted: there is room.
    package mutating func accepted() {
        if case .paused = state { state = .asked }
    }

    /// Notes that a source was refused.
    package mutating func refused(_ again: Again, at now: Duration) {
        switch (again, state) {
        case (.atOnce, _), (_, .givenUp): break
        case (.afterPause, _): state = .paused(until: now + pause)
        case (.never, _): state = .givenUp
        }
    }
}
