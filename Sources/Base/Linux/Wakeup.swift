internal import Synchronization

/// Wakes one task that waits, from any thread. A wake-up that comes before the wait ends that wait at once.
///
/// Cancelling a task holds the runtime's lock of that task, and takes the lock in here. So no task is resumed, which takes the runtime's
/// lock, while the lock in here is held.
public final class Wakeup: Sendable {
    private enum State {
        case quiet
        case woken
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.quiet)

    /// Nobody waits yet.
    public init() {}

    /// Ends the wait of the task that waits, or else the next wait.
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

    /// Waits for a wake-up, or for the cancellation of the caller's task. It may also end without either. One task may wait at a time.
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

    /// The same, for `limit` at most. Waiting holds no thread.
    public func wait(atMost limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }
}
