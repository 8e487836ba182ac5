import Linux
import Worker

/// A worker on its own thread.
final class RunningWorker: Sendable {
    let worker: Worker
    private let thread: WorkerThread
    private let isOver = Promise<Void>()

    init(_ worker: Worker) throws {
        self.worker = worker
        let isOver = isOver
        thread = try WorkerThread(name: "worker") {
            try? worker.run()
            isOver.fulfil(())
        }
    }

    /// Waits for the worker's end; `false` if it has not ended after a minute.
    @discardableResult
    func end(within limit: Duration = .seconds(5)) -> Bool {
        worker.drain(within: limit)
        return isOver.wait(until: Time.monotonic + .seconds(60)) != nil
    }

    var hasEnded: Bool { isOver.current != nil }

    func waitForEnd() -> Bool { isOver.wait(until: Time.monotonic + .seconds(60)) != nil }
}
