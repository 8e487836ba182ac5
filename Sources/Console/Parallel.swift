package import Linux
internal import Synchronization

/// Works through a list on several threads and hands over the results in the list's order.
package enum Parallel {
    /// - Parameters:
    ///   - count: how many items there are.
    ///   - jobs: how many are worked on at once.
    ///   - work: makes the result of an item; runs on the threads.
    ///   - finished: gets each result on the calling thread, in order.
    ///   - waiting: runs on the calling thread every tenth of a second meanwhile, with how many items are done.
    package static func map<Value: Sendable>(
        count: Int, jobs: Int, work: @escaping @Sendable (Int) -> Value, finished: (Int, Value) -> Void,
        waiting: (Int) -> Void
    ) throws(SystemError) {
        let promises = (0..<count).map { _ in Promise<Value>() }
        let state = Shared()
        // A failure to start a thread is only fatal where no thread works.
        for index in 0..<min(jobs, count) {
            do throws(SystemError) {
                _ = try WorkerThread(name: "job-\(index)") {
                    while let item = state.take(below: count) {
                        promises[item].fulfil(work(item))
                        state.finish()
                    }
                }
            } catch {
                if index == 0 { throw error }
            }
        }
        for index in 0..<count {
            while true {
                if let value = promises[index].wait(until: Time.monotonic + .milliseconds(100)) {
                    finished(index, value)
                    break
                }
                waiting(state.finishedCount)
            }
        }
    }

    private final class Shared: Sendable {
        private let next = Mutex(0)
        private let finished = Mutex(0)

        func take(below count: Int) -> Int? {
            next.withLock { next in
                guard next < count else { return nil }
                defer { next += 1 }
                return next
            }
        }

        func finish() { finished.withLock { $0 += 1 } }

        var finishedCount: Int { finished.withLock { $0 } }
    }
}
