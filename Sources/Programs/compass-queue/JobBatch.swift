import JobQueue
import Media

/// Collects jobs and enqueues 500 in one transaction.
struct JobBatch {
    let queue: any JobQueue
    private var waiting: [(name: FilePath, request: JobRequest)] = []

    /// A file with its job.
    struct Queued {
        let name: FilePath
        let request: JobRequest
        let answer: Enqueued
    }

    /// Large enough that the batch's `fdatasync` costs each job little; small enough that workers do not wait long for
    /// the write lock.
    private static let size = 500

    init(queue: any JobQueue) { self.queue = queue }

    /// Adds a request to the batch.
    ///
    /// - Returns: the jobs of the batch if it was full and is now on disk; else none.
    mutating func add(_ name: FilePath, _ request: JobRequest) throws(QueueError) -> [Queued] {
        waiting.append((name, request))
        return waiting.count < Self.size ? [] : try close()
    }

    /// Enqueues the remaining requests.
    mutating func close() throws(QueueError) -> [Queued] {
        if waiting.isEmpty { return [] }
        let answers = try queue.enqueue(waiting.map(\.request))
        defer { waiting = [] }
        return zip(waiting, answers).map { Queued(name: $0.name, request: $0.request, answer: $1) }
    }
}
