internal import Synchronization

/// Wakes one waiting task from any thread. A wake-up before the wait ends that wait at once.
///
/// Cancelling a task takes this lock while it holds the runtime's lock of that task. Resuming a task takes the
/// runtime's lock, so no task is resumed under this lock.
public final class Wakeup: Sendable {
    private enum State {
        case quiet
        case woken
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.quiet)

    /// No task waits yet.
    public init() {}

    /// Ends the current wait, or else the next wait.
    public func wake() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard case .waiting(let continuation) = state else {
                state = .woken
                return nil
            }
            state = .quiet
            return continuation
        }
        waiting?.resume()
    }

    /// Waits for a wake-up or the cancellation of the caller's task. It may also end without either. Only one task may
    /// wait at a time.
    public func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state -> Bool in
                    switch state {
                    case .quiet: state = .waiting(continuation)
                    case .woken:
                        state = .quiet
                        return true
                    case .waiting: preconditionFailure("two tasks wait for one wake-up")
                    }
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake()
        }
    }

    /// The same, for at most `limit`. Waiting blocks no thread.
    public func wait(atMost limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
