internal import Linux
internal import Synchronization

/// Whether queue and cache are in reach: says so once when that changes, and how long to pause.
final class Health: Sendable {
    private struct Trouble {
        var reason: String
        let began: Duration
        var count: Int
    }

    private let troubles = Mutex<[WorkerEvent.Dependency: Trouble]>([:])
    private let options: WorkerOptions
    private let observer: @Sendable (WorkerEvent) -> Void

    init(_ options: WorkerOptions, observer: @escaping @Sendable (WorkerEvent) -> Void) {
        self.options = options
        self.observer = observer
    }

    /// Notes a trouble; another reason is told anew.
    /// - Returns: how long to pause before the next try.
    func note(_ dependency: WorkerEvent.Dependency, reason: String) -> Duration {
        let (isNew, pause) = troubles.withLock { troubles in
            let known = troubles[dependency]
            let count = (known?.count ?? 0) + 1
            troubles[dependency] = Trouble(reason: reason, began: known?.began ?? Time.monotonic, count: count)
            // Several threads meet the same trouble: the pause grows with what they meet together.
            return (known?.reason != reason, min(options.firstPause * (1 << min(count - 1, 16)), options.longestPause))
        }
        if isNew { observer(.troubleBegan(dependency, detail: reason)) }
        return pause
    }

    /// Notes that it works.
    func clear(_ dependency: WorkerEvent.Dependency) {
        guard let trouble = troubles.withLock({ $0.removeValue(forKey: dependency) }) else { return }
        observer(.troubleEnded(dependency, after: Time.monotonic - trouble.began))
    }

    /// What is out of reach, with the reason.
    var current: [WorkerEvent.Dependency: String] { troubles.withLock { $0.mapValues(\.reason) } }
}
