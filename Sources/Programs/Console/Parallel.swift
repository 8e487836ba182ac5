package import Linux
internal import Synchronization

/// Works through a list on several threads, and delivers the results in the list's order.
package enum Parallel {
    /// The largest number of items between the first that is not delivered and the last that is begun. One slow file
    /// blocks no thread for long, and the memory does not grow with the number of items.
    package static let window = 1024

    /// Runs `work` for every index below `count`, and returns when all results are delivered.
    ///
    /// - Parameters:
    ///   - count: the number of items.
    ///   - jobs: the number of threads.
    ///   - window: the largest number of results that are kept.
    ///   - work: makes the result of an item; runs on the threads.
    ///   - finished: receives each result on the calling thread, in order.
    ///   - waiting: runs on the calling thread every tenth of a second, with the number of finished items.
    /// - Throws: the kernel's error if not even one thread can be started.
    package static func map<Value: Sendable>(
        count: Int, jobs: Int, window: Int = window, work: @escaping @Sendable (Int) -> Value,
        finished: (Int, Value) -> Void, waiting: (Int) -> Void
    ) throws(SystemError) {
        let list = List<Value>(count: count, window: max(window, jobs))
        // One thread suffices: only a failure to start the first thread is fatal.
        for index in 0..<min(jobs, count) {
            do throws(SystemError) {
                _ = try WorkerThread(name: "job-\(index)") {
                    while let (index, item) = list.take() { item.result.fulfil(work(index)) }
                }
            } catch {
                if index == 0 { throw error }
            }
        }
        for index in 0..<count {
            let item = list.item(index)
            while true {
                if let value = item.result.wait(until: Time.monotonic + .milliseconds(100)) {
                    list.remove(index)
                    finished(index, value)
                    break
                }
                waiting(index + list.finishedCount)
            }
        }
    }

    /// An item from its beginning until its result is delivered.
    private final class Item<Value: Sendable>: Sendable {
        let result = Promise<Value>()
        let isHandedOver = Promise<Void>()
    }

    /// The items that are begun or awaited.
    private final class List<Value: Sendable>: Sendable {
        private let count: Int
        private let window: Int
        private let state = Mutex(State())

        private struct State {
            var next = 0
            var items: [Int: Item<Value>] = [:]

            mutating func item(_ index: Int) -> Item<Value> {
                if let item = items[index] { return item }
                let item = Item<Value>()
                items[index] = item
                return item
            }
        }

        init(count: Int, window: Int) {
            self.count = count
            self.window = window
        }

        /// The next item, as soon as the window allows it; `nil` after the last one.
        func take() -> (index: Int, Item<Value>)? {
            let taken = state.withLock { state -> (index: Int, item: Item<Value>, before: Item<Value>?)? in
                guard state.next < count else { return nil }
                defer { state.next += 1 }
                // The item one window earlier was begun; if it is gone, it has been delivered.
                return (state.next, state.item(state.next), state.items[state.next - window])
            }
            guard let taken else { return nil }
            taken.before?.isHandedOver.wait()
            return (taken.index, taken.item)
        }

        func item(_ index: Int) -> Item<Value> { state.withLock { $0.item(index) } }

        func remove(_ index: Int) {
            state.withLock { $0.items.removeValue(forKey: index) }?.isHandedOver.fulfil(())
        }

        /// The number of finished items that are not yet delivered.
        var finishedCount: Int { state.withLock { $0.items.values.count { $0.result.current != nil } } }
    }
}
