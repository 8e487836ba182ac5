import Console
import Linux
import Synchronization
import TestDeadline
import Testing

@Suite("Working through a list", .deadline)
struct ParallelTests {
    /// A result that counts the living results.
    private final class Counted: Sendable {
        static let alive = Atomic(0)
        static let most = Atomic(0)
        let index: Int

        init(_ index: Int) {
            self.index = index
            let alive = Self.alive.add(1, ordering: .sequentiallyConsistent).newValue
            Self.most.max(alive, ordering: .sequentiallyConsistent)
        }

        deinit { Self.alive.subtract(1, ordering: .sequentiallyConsistent) }
    }

    @Test("Results come in order, and few are kept even where the first is slow")
    func bounded() throws {
        var order: [Int] = []
        try Parallel.map(
            count: 20_000, jobs: 4, window: 50,
            work: { index in
                if index % 5000 == 0 { Time.sleep(.milliseconds(30)) }
                return Counted(index)
            },
            finished: { index, result in
                #expect(result.index == index)
                order.append(index)
            }, waiting: { _ in })
        #expect(order == Array(0..<20_000))
        #expect(Counted.most.load(ordering: .sequentiallyConsistent) <= 50 + 4 + 1)
    }

    @Test("A window smaller than the threads, and lists of none and one, end", arguments: [0, 1, 7, 500])
    func small(count: Int) throws {
        var sum = 0
        try Parallel.map(
            count: count, jobs: 8, window: 1, work: { $0 }, finished: { sum += $0 + $1 }, waiting: { _ in })
        #expect(sum == count * (count - 1))
    }
}
