package import JobQueue
package import Media

/// A queue in front of another one, for tests that override some of its operations.
package protocol WrappedQueue: JobQueue {
    var base: any JobQueue { get }
}

extension WrappedQueue {
    package func enqueue(_ requests: [JobRequest]) throws(QueueError) -> [Enqueued] { try base.enqueue(requests) }
    package func release(_ token: LeaseToken) throws(QueueError) { try base.release(token) }
    package func reclaimExpired() throws(QueueError) -> Int { try base.reclaimExpired() }
    package func reclaim(from worker: String) throws(QueueError) -> Int { try base.reclaim(from: worker) }
    package func requeue(_ id: JobID) throws(QueueError) { try base.requeue(id) }
    package func cancel(_ id: JobID) throws(QueueError) { try base.cancel(id) }
    package func pause(_ kind: JobKind) throws(QueueError) { try base.pause(kind) }
    package func resume(_ kind: JobKind) throws(QueueError) { try base.resume(kind) }
    package func status() throws(QueueError) -> QueueStatus { try base.status() }
    package func list(_ filter: JobFilter) throws(QueueError) -> [Job] { try base.list(filter) }
    package func show(_ id: JobID) throws(QueueError) -> (job: Job, attempts: [Attempt]) { try base.show(id) }
    package func prune(olderThan age: Duration, keepingAtMost count: Int) throws(QueueError) -> Int {
        try base.prune(olderThan: age, keepingAtMost: count)
    }
    package func nextDue() throws(QueueError) -> QueueInstant? { try base.nextDue() }
    package func recordCrash(of digest: Digest, build: String) throws(QueueError) -> Bool {
        try base.recordCrash(of: digest, build: build)
    }
    package func isPoisoned(_ digest: Digest, build: String) throws(QueueError) -> Bool {
        try base.isPoisoned(digest, build: build)
    }
    package func poisoned(limit: Int) throws(QueueError) -> [PoisonedContent] { try base.poisoned(limit: limit) }
    package func makeWaiter() throws(QueueError) -> any JobWaiter { try base.makeWaiter() }
}
