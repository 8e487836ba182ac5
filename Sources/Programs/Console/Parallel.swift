package import Linux
internal import Synchronization

/// Works through a list on several threads and hands over the results in the list's order.
package enum Parallel {
    /// So many items are begun at most before the first of them is handed over: one slow file holds up no worker for long, and
    /// memory is the same for any number of items.
    package static let window = 1024

    /// - Parameters:
    ///   - count: how many items there are.
    ///   - jobs: how many are worked on at once.
    ///   - window: how many results are kept at most.
    ///   - work: makes the result of an item; runs on the threads.
    ///   - finished: gets each result on the calling thread, in order.
    ///   - waiting: runs on the calling thread every tenth of a second meanwhile, with how many items are done.
    package static func map<Value: Sendable>(
        count: Int, jobs: Int, window: Int = window, work: @escaping @Sendable (Int) -> Value,
        finished: (Int, Value) -> Void, waiting: (Int) -> Void
    ) throws(SystemError) {
        let list = List<Value>(count: count, window: max(window, jobs))
        // A failure to start a thread is only fatal where no thread works.
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

    /// An item between its beginning and its handing over.
    private final class Item<Value: Sendable>: Sendable {
        let result = Promise<Value>()
        let isHandedOver = Promise<Void>()
    }

    /// The items that are begun or waited for.
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

        /// The next item, as soon as few enough are begun; `nil` after the last one.
        func take() -> (index: Int, Item<Value>)? {
            let taken = state.withLock { state -> (index: Int, item: Item<Value>, before: Item<Value>?)? in
                guard state.next < count else { return nil }
                defer { state.next += 1 }
                // The item one window earlier was begun; where it is gone, it was handed over.
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

        /// How many of the items that are not handed over are finished.
        var finishedCount: Int { state.withLock { $0.items.values.count { $0.result.current != nil } } }
    }
}
