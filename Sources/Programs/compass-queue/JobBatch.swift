import JobQueue
import Media

/// Jobs on their way into the queue, so many in a transaction.
struct JobBatch {
    let queue: SQLiteQueue
    private var waiting: [(name: FilePath, request: JobRequest)] = []

    /// A file that is queued now.
    struct Queued {
        let name: FilePath
        let request: JobRequest
        let answer: Enqueued
    }

    /// Enough that its `fdatasync` costs each job little, few enough that workers are not kept waiting for the write lock.
    private static let size = 500

    init(queue: SQLiteQueue) { self.queue = queue }

    /// Takes a job.
    ///
    /// - Returns: the jobs that are on disk now, if this one made the batch full.
    mutating func add(_ name: FilePath, _ request: JobRequest) throws(QueueError) -> [Queued] {
        waiting.append((name, request))
        return waiting.count < Self.size ? [] : try close()
    }

    /// Queues what waits.
    mutating func close() throws(QueueError) -> [Queued] {
        if waiting.isEmpty { return [] }
        let answers = try queue.enqueue(waiting.map(\.request))
        defer { waiting = [] }
        return zip(waiting, answers).map { Queued(name: $0.name, request: $0.request, answer: $1) }
    }
}
