internal import Synchronization

/// One of the things that a meter counts. It ends by `end`, or at the latest when it is released.
public final class MeteredTurn: Sendable {
    private let ending: Mutex<(@Sendable () -> Void)?>

    /// - Parameter ending: called once.
    init(ending: @escaping @Sendable () -> Void) { self.ending = Mutex(ending) }

    deinit { end() }

    /// Lets the next one begin.
    public func end() {
        let ending = ending.withLock { ending in
            defer { ending = nil }
            return ending
        }
        ending?()
    }
}
