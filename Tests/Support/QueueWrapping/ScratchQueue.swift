package import JobQueue
internal import TestSupport

/// An empty queue in its own folder.
package func makeScratchQueue(_ policy: QueuePolicy = QueuePolicy()) throws -> SQLiteQueue {
    let path = TemporaryFolder.make("queue") + "/queue.sqlite"
    try SQLiteQueue.migrate(path: path)
    return try SQLiteQueue(path: path, QueueSurroundings(policy: policy))
}
