internal import JobQueue
internal import Synchronization

/// The queue, opened at the first use and again after a fault of its storage: a restored file is another file.
final class QueueConnection: Sendable {
    /// An open queue, with the number of its opening.
    typealias Opened = (queue: any JobQueue, generation: Int)

    private struct State {
        var queue: (any JobQueue)?
        var generation = 0

        var opened: Opened? { queue.map { ($0, generation) } }
    }

    private let open: @Sendable () throws(QueueError) -> any JobQueue
    private let state = Mutex(State())

    init(open: @escaping @Sendable () throws(QueueError) -> any JobQueue) { self.open = open }

    /// The open queue.
    func current() throws(QueueError) -> Opened {
        if let known = state.withLock(\.opened) { return known }
        let queue = try open()
        return state.withLock { state in
            // Another thread opened it first.
            if let known = state.opened { return known }
            state.queue = queue
            state.generation += 1
            return (queue, state.generation)
        }
    }

    /// Runs `body` on the queue; after a fault of the storage the next call opens the queue again.
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
    /// Whether the storage is at fault, not the operation.
    var isTrouble: Bool {
        switch self {
        case .unavailable, .notMigrated, .newerSchema, .formerSchema: true
        case .leaseLost, .noSuchJob, .wrongState, .duplicate, .invalid: false
        }
    }

    /// Whether the queue must be opened again: a file that was locked or full stays the same file.
    fileprivate var needsReopening: Bool {
        switch self {
        case .unavailable(.locked, _), .unavailable(.full, _): false
        default: isTrouble
        }
    }
}
