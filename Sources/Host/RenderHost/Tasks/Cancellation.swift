internal import Synchronization

/// Ends the tasks that carry it, once their client has left.
public final class Cancellation: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isCancelled = false
        var actions: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    /// A cancellation that nobody has called for yet.
    public init() {}

    /// Whether `cancel()` was called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the work now; the tasks fail as `cancelled`, and so do those that begin later.
    public func cancel() {
        let actions = state.withLock { state in
            state.isCancelled = true
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }

    /// Runs `action` on cancellation, or at once after one; where both coincide, twice.
    ///
    /// - Parameter work: the work that the action ends; kept alive until it is removed.
    package func add(_ work: some AnyObject & Sendable, ending action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.actions[ObjectIdentifier(work)] = {
                withExtendedLifetime(work) { action() }
            }
            return state.isCancelled
        }
        if isLate { action() }
    }

    /// Forgets the action that ends `work`.
    package func remove(_ work: some AnyObject & Sendable) {
        state.withLock { state in _ = state.actions.removeValue(forKey: ObjectIdentifier(work)) }
    }
}
