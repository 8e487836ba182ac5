internal import Synchronization

/// Ends the tasks that carry it at somebody's word: whoever asked for them has left.
public final class Cancellation: Sendable {
    private let state = Mutex(State())

    private struct State {
        var isCancelled = false
        var actions: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    public init() {}

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the work now; the tasks fail as `cancelled`, and so do those that begin later.
    public func cancel() {
        let actions = state.withLock { state in
            state.isCancelled = true
            return Array(state.actions.values)
        }
        for action in actions { action() }
    }

    /// Has `action` run on cancellation, or now where that was before; once or, in between, twice.
    ///
    /// - Parameter work: what the action ends; stays alive until it is removed.
    package func add(_ work: some AnyObject & Sendable, ending action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.actions[ObjectIdentifier(work)] = {
                withExtendedLifetime(work) { action() }
            }
            return state.isCancelled
        }
        if isLate { action() }
    }

    package func remove(_ work: some AnyObject & Sendable) {
        state.withLock { state in _ = state.actions.removeValue(forKey: ObjectIdentifier(work)) }
    }
}
