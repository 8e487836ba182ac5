internal import Synchronization

/// Ends the tasks that carry it when their client has left.
public final class Cancellation: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isCancelled = false
        var actions: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    /// A cancellation that has not been requested yet.
    public init() {}

    /// Whether `cancel()` was called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the work now; the tasks fail with `cancelled`, and so do tasks that begin later.
    public func cancel() {
        let actions = state.withLock { state in
            state.isCancelled = true
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }

    /// Runs `action` on cancellation, or at once after it; twice if both coincide.
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

    /// Removes the action that ends `work`.
    package func remove(_ work: some AnyObject & Sendable) {
        state.withLock { state in _ = state.actions.removeValue(forKey: ObjectIdentifier(work)) }
    }
}
