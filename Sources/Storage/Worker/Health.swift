internal import Linux
internal import Media
internal import Synchronization

/// The worker's knowledge of whether queue, cache and store can be used. It reports each change once, and says how long
/// to pause.
final class Health: Sendable {
    /// A fault of a dependency from its first failure to its first success.
    private struct Outage {
        var reason: String
        let began: Duration
        var count: Int
    }

    private let outages = Mutex<[WorkerEvent.Dependency: Outage]>([:])
    private let options: WorkerOptions
    private let observer: @Sendable (WorkerEvent) -> Void

    init(_ options: WorkerOptions, observer: @escaping @Sendable (WorkerEvent) -> Void) {
        self.options = options
        self.observer = observer
    }

    /// Records a failure; a new reason is reported again.
    /// - Returns: the pause before the next retry.
    func note(_ dependency: WorkerEvent.Dependency, reason: String) -> Duration {
        let (isNew, pause) = outages.withLock { outages in
            let known = outages[dependency]
            let count = (known?.count ?? 0) + 1
            outages[dependency] = Outage(reason: reason, began: known?.began ?? Time.monotonic, count: count)
            // Several threads meet the same fault: the pause grows with the failures of all of them.
            return (known?.reason != reason, min(options.firstPause * (1 << min(count - 1, 16)), options.longestPause))
        }
        if isNew { observer(.troubleBegan(dependency, detail: reason)) }
        return pause
    }

    /// Records a failure of the store. Its words differ from retry to retry: the first ones are reported.
    /// - Returns: the pause before the next retry.
    func noteStore(_ failure: Failure) -> Duration {
        note(.store, reason: current[.store] ?? (failure.detail.isEmpty ? failure.message : failure.detail))
    }

    /// Records that a dependency works.
    func clear(_ dependency: WorkerEvent.Dependency) {
        guard let outage = outages.withLock({ $0.removeValue(forKey: dependency) }) else { return }
        observer(.troubleEnded(dependency, after: Time.monotonic - outage.began))
    }

    /// The dependencies that cannot be used, with the reasons.
    var current: [WorkerEvent.Dependency: String] { outages.withLock { $0.mapValues(\.reason) } }
}
