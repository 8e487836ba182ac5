import CLinux
import Linux
import Media
import Synchronization
import TestDeadline
import Testing
import ThumbnailCache

@Suite("Single flight", .deadline)
struct SingleFlightTests {
    private let flight = SingleFlight.Flight(Samples.key(), recipe: Samples.grid)

    private func lockPath(_ cache: FolderCache) -> String { "\(cache.path)/\(CacheLayout.locks)/\(flight.fileName)" }

    private func acquire(_ cache: FolderCache, within limit: Duration) -> SingleFlight.Hold {
        cache.singleFlight.acquire([flight], until: Time.monotonic + limit)
    }

    @Test("The second process waits until its deadline, and gets the lock once it is free")
    func exclusion() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        let first = acquire(cache, within: .zero)
        #expect(first.isComplete)
        let start = Time.monotonic
        #expect(!acquire(cache, within: .milliseconds(100)).isComplete)
        let waited = Time.monotonic - start
        #expect(waited >= .milliseconds(100) && waited < .seconds(2))
        first.release()
        let third = acquire(cache, within: .zero)
        #expect(third.isComplete)
        third.release()
        #expect(scratch.files(below: "locks").isEmpty, "locks leave no files")
    }

    @Test("Other recipes and other sources do not wait")
    func independence() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        let first = acquire(cache, within: .zero)
        let others: [SingleFlight.Flight] = [
            .init(Samples.key(), recipe: Samples.list), .init(Samples.key(2), recipe: Samples.grid),
        ]
        #expect(cache.singleFlight.acquire(others, until: Time.monotonic).isComplete)
        first.release()
    }

    @Test("Another program that holds the lock is waited for (flock(1))")
    func otherProcess() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        acquire(cache, within: .zero).release()
        let child = try ChildProgram.holding(lockPath(cache), ["/bin/sleep", "0.5"])
        #expect(!acquire(cache, within: .zero).isComplete)
        let hold = acquire(cache, within: .seconds(20))
        #expect(hold.isComplete)
        #expect(child.ended() == 0, "it had ended")
        #expect(try ChildProgram(["/usr/bin/flock", "-n", "-E", "9", lockPath(cache), "/bin/true"]).ended() == 9)
        hold.release()
    }

    @Test("A lock ends with a holder that is killed")
    func killedHolder() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        acquire(cache, within: .zero).release()
        let child = try ChildProgram.holding(lockPath(cache), ["/bin/sleep", "60"])
        child.kill()
        child.ended()
        let hold = acquire(cache, within: .seconds(1))
        #expect(hold.isComplete)
        hold.release()
    }

    @Test("Only one of many threads holds the lock at a time, also while lock files come and go")
    func manyThreads() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        let within = Atomic(0)
        let most = Atomic(0)
        let rounds = Atomic(0)
        let flight = flight
        try withThreads(4) { _ in
            var held = 0
            while held < 1000 {
                // Without waiting: the more often files are opened just as their holder removes them, the better.
                let hold = cache.singleFlight.acquire([flight], until: .zero)
                if hold.isComplete {
                    held += 1
                    let count = within.add(1, ordering: .sequentiallyConsistent).newValue
                    most.max(count, ordering: .sequentiallyConsistent)
                    sched_yield()
                    within.subtract(1, ordering: .sequentiallyConsistent)
                }
                hold.release()
            }
            rounds.add(held, ordering: .relaxed)
        }
        #expect(most.load(ordering: .sequentiallyConsistent) == 1)
        #expect(rounds.load(ordering: .relaxed) == 4000)
    }

    @Test("Several locks, requested in any order, never deadlock")
    func severalLocks() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        let flights = (0..<4).map { SingleFlight.Flight(Samples.key($0), recipe: Samples.grid) }
        let complete = Atomic(0)
        try withThreads(4) { number in
            for round in 0..<20 {
                let wanted = (number + round) % 2 == 0 ? flights : flights.reversed()
                let hold = cache.singleFlight.acquire(wanted, until: Time.monotonic + .seconds(60))
                if hold.isComplete { complete.add(1, ordering: .relaxed) }
                hold.release()
            }
        }
        #expect(complete.load(ordering: .relaxed) == 80)
    }
}

/// Runs `body` on so many threads at once, and waits for all.
func withThreads(_ count: Int, _ body: @Sendable (Int) -> Void) throws {
    try withoutActuallyEscaping(body) { body in
        let threads = try (0..<count).map { number in
            try WorkerThread(name: "test-\(number)") { body(number) }
        }
        for thread in threads { thread.join() }
    }
}
