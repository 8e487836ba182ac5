/// Decides from earlier answers whether another process is asked for the next source.
///
/// A busy process is not asked during a pause. Then one source asks for all, and the others ask again when that one is
/// accepted: a busy process gets one request per pause, however many sources there are.
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
        /// The refusal concerned only this source.
        case atOnce
        /// The process was busy, or had problems of its own.
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

    /// Whether a source may ask at this time of the monotonic clock.
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

    /// Records that a source was accepted: there is room.
    package mutating func accepted() {
        if case .paused = state { state = .asked }
    }

    /// Records that a source was refused.
    package mutating func refused(_ again: Again, at now: Duration) {
        switch (again, state) {
        case (.atOnce, _), (_, .givenUp): break
        case (.afterPause, _): state = .paused(until: now + pause)
        case (.never, _): state = .givenUp
        }
    }
}
