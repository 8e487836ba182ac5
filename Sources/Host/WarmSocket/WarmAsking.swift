/// Whether another process is asked for the next source, by what it said to those before.
///
/// One that has too much to do is left alone for a pause. Then one source tries it for all: the others ask again once
/// that one was taken. So a busy process hears once a pause of however many there are.
package struct WarmAsking {
    private let pause: Duration
    private var state = State.asked

    private enum State {
        case asked
        case paused(until: Duration)
        case givenUp
    }

    /// When it is asked for another source.
    package enum Again {
        /// What stood in the way was the source's own.
        case atOnce
        /// It had too much to do, or trouble of its own.
        case afterPause
        /// Another source would fare the same.
        case never
    }

    package init(pause: Duration) { self.pause = pause }

    /// Whether it is never asked again.
    package var isGivenUp: Bool {
        if case .givenUp = state { true } else { false }
    }

    /// Whether a source may ask at this moment of the monotonic clock.
    ///
    /// The first one after a pause may; the next ones wait until it was taken, or for another pause.
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

    /// A source was taken: there is room.
    package mutating func accepted() {
        if case .paused = state { state = .asked }
    }

    /// A source was not taken.
    package mutating func refused(_ again: Again, at now: Duration) {
        switch (again, state) {
        case (.atOnce, _), (_, .givenUp): break
        case (.afterPause, _): state = .paused(until: now + pause)
        case (.never, _): state = .givenUp
        }
    }
}
