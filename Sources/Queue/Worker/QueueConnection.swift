internal import JobQueue
internal import Synchronization

/// The queue, opened when it is first wanted and again after it was out of reach: a file that was restored or put back is
/// another file.
final class QueueConnection: Sendable {
    /// An open queue, and which opening it came from.
    typealias Opened = (queue: any JobQueue, generation: Int)

    private struct State {
        var queue: (any JobQueue)?
        var generation = 0
    }

    private let open: @Sendable () throws(QueueError) -> any JobQueue
    private let state = Mutex(State())

    init(open: @escaping @Sendable () throws(QueueError) -> any JobQueue) { self.open = open }

    /// The open queue.
    func current() throws(QueueError) -> Opened {
        let result: Result<Opened, QueueError> = state.withLock { state in
            if let queue = state.queue { return .success((queue, state.generation)) }
            do throws(QueueError) {
                let queue = try open()
                state.queue = queue
                state.generation += 1
                return .success((queue, state.generation))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Runs `body` on the queue; where it turns out to be out of reach, the next call opens it anew.
    @discardableResult
    func use<Answer>(_ body: (any JobQueue) throws(QueueError) -> Answer) throws(QueueError) -> Answer {
        let opened = try current()
        do throws(QueueError) {
            return try body(opened.queue)
        } catch {
            if error.needsReopening { forget(opened.generation) }
            throw error
        }
    }

    private func forget(_ generation: Int) {
        state.withLock { state in
            if state.generation == generation { state.queue = nil }
        }
    }
}

extension QueueError {
    /// Whether the store is to blame, and not what was asked of it.
    var isTrouble: Bool {
        switch self {
        case .unavailable, .notMigrated, .newerSchema: true
        case .leaseLost, .noSuchJob, .wrongState, .duplicate, .invalid: false
        }
    }

    /// A locked or full file is the same file afterwards.
    fileprivate var needsReopening: Bool {
        switch self {
        case .unavailable(.locked, _), .unavailable(.full, _): false
        default: isTrouble
        }
    }
}
