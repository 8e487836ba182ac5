internal import JobQueue
internal import Linux
internal import Synchronization

/// Renews the leases of all running jobs on one thread.
final class LeaseKeeper: Sendable {
    private struct State {
        var held: Set<LeaseToken> = []
        var lastBeat = Time.monotonic
    }

    private let state = Mutex(State())
    private let connection: QueueConnection
    private let health: Health
    private let options: WorkerOptions
    private let isOver = Promise<Void>()

    init(_ connection: QueueConnection, _ health: Health, _ options: WorkerOptions) {
        self.connection = connection
        self.health = health
        self.options = options
    }

    func start() throws(SystemError) -> WorkerThread {
        try WorkerThread(name: "heartbeat") { [self] in
            var pause = options.heartbeatInterval
            while isOver.wait(until: Time.monotonic + pause) == nil { pause = beat() }
        }
    }

    func stop() { isOver.fulfil(()) }

    func hold(_ token: LeaseToken) { state.withLock { _ = $0.held.insert(token) } }
    func drop(_ token: LeaseToken) { state.withLock { _ = $0.held.remove(token) } }

    var held: Set<LeaseToken> { state.withLock { $0.held } }

    /// The time since the thread last began a round.
    var sinceLastBeat: Duration { state.withLock { Time.monotonic - $0.lastBeat } }

    /// Sends a heartbeat for each lease.
    ///
    /// - Returns: the pause before the next round.
    private func beat() -> Duration {
        state.withLock { $0.lastBeat = Time.monotonic }
        for token in held {
            do throws(QueueError) {
                try connection.use { (queue) throws(QueueError) in try queue.heartbeat(token, for: options.lease) }
            } catch {
                // The lease is lost: the job's thread learns that from its next operation.
                guard error.isTrouble else {
                    drop(token)
                    continue
                }
                return min(health.note(.queue, reason: error.description), options.heartbeatInterval)
            }
        }
        return options.heartbeatInterval
    }
}
