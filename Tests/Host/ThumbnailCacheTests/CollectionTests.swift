import CLinux
import Linux
import Media
import TestDeadline
import Testing
import ThumbnailCache

@Suite("Collection to a byte budget", .deadline)
struct CollectionTests {
    private let hour: Duration = .seconds(3600)

    /// A cache with renditions 1...count of about 100 kB, used in this order, an hour apart; its clock is an hour later.
    private func filledCache(_ scratch: ScratchFolder, _ count: Int, _ clock: TestClock) throws -> FolderCache {
        let cache = FolderCache(path: scratch.path, files: LinuxFileSystem()) { clock.now }
        for number in 1...count {
            try cache.store(
                Samples.rendition(UInt8(number), byteCount: 100_000), for: Samples.key(number), recipe: Samples.grid)
            scratch.setTimes(FolderCache.place(Samples.key(number), "jpg"), to: clock.now)
            clock.advance(by: hour)
        }
        return cache
    }

    private func kept(_ cache: FolderCache, of count: Int) -> [Int] {
        (1...count).filter { cache.lookup(Samples.key($0)).rendition != nil }
    }

    @Test("Nothing is removed under the budget")
    func underBudget() throws {
        let scratch = try ScratchFolder()
        let cache = try filledCache(scratch, 5, TestClock())
        let report = try #require(try cache.collect(budget: 10_000_000))
        #expect(report.byteCountBefore == report.byteCountAfter)
        #expect(report.evictedRenditions == 0)
        #expect(kept(cache, of: 5) == [1, 2, 3, 4, 5])
    }

    @Test("The least recently used files go first, with their folders, down to a tenth below the budget")
    func leastRecentlyUsed() throws {
        let scratch = try ScratchFolder()
        let clock = TestClock()
        let cache = try filledCache(scratch, 10, clock)
        _ = cache.lookup(Samples.key(1))
        let report = try #require(try cache.collect(budget: 750_000))
        // How many, depends on what the file system's blocks and folders take.
        let evicted = report.evictedRenditions
        #expect((4...5).contains(evicted))
        #expect(kept(cache, of: 10) == [1] + Array(2 + evicted...10))
        #expect(report.byteCountAfter <= 675_000)
        #expect(cache.statistics().entries == 10 - evicted)
        #expect((try? scratch.status(Samples.key(2).folder)) == nil, "its folder went too")
        #expect(abs(cache.statistics().byteCount - report.byteCountAfter) < 100_000)
    }

    @Test("A dry run reports what a run would remove, and removes nothing")
    func dryRun() throws {
        let scratch = try ScratchFolder()
        let cache = try filledCache(scratch, 10, TestClock())
        let before = scratch.files()
        let foretold = try #require(try cache.collect(budget: 500_000, isDryRun: true))
        #expect(scratch.files() == before)
        #expect(try cache.collect(budget: 500_000) == foretold)
        #expect(foretold.evictedRenditions > 0)
    }

    @Test("A budget of nothing empties the cache: renditions, failures, facts, stat entries and folders")
    func emptying() throws {
        let scratch = try ScratchFolder()
        let clock = TestClock()
        let cache = try filledCache(scratch, 3, clock)
        try cache.storeFacts(Samples.facts, for: Samples.key(1))
        try cache.storeFacts(Samples.facts, for: Samples.key(8))
        try cache.storeFailure(Failure(.corrupt), build: "b", for: Samples.key(9), recipe: Samples.grid)
        let status = try FileStatus.of(path: "/usr/bin/env")
        try cache.statIndex.remember(Samples.key(), for: status, readingBegan: clock.now)
        _ = try cache.collect(budget: 0)
        for folder in ["v1", "stat", "tmp"] { #expect(scratch.files(below: folder).isEmpty) }
        #expect(cache.statistics().entries == 0)
        #expect(cache.statistics().byteCount < 100_000)
    }

    @Test("Facts go after the last rendition of their source, not before")
    func factsGoLast() throws {
        let scratch = try ScratchFolder()
        let cache = try filledCache(scratch, 4, TestClock())
        for number in 1...4 { try cache.storeFacts(Samples.facts, for: Samples.key(number)) }
        _ = try cache.collect(budget: 250_000)
        for number in 1...4 where cache.lookup(Samples.key(number)).rendition != nil {
            #expect(cache.facts(of: Samples.key(number)) != nil)
        }
        #expect(kept(cache, of: 4) == [3, 4] || kept(cache, of: 4) == [4])
    }

    @Test("Expired failures go in any case; lasting ones and young ones stay")
    func expiredFailures() throws {
        let scratch = try ScratchFolder()
        let clock = TestClock()
        let cache = FolderCache(path: scratch.path, files: LinuxFileSystem()) { clock.now }
        try cache.storeFailure(Failure(.timedOut), build: "b", for: Samples.key(1), recipe: Samples.grid)
        try cache.storeFailure(Failure(.corrupt), build: "b", for: Samples.key(2), recipe: Samples.grid)
        clock.advance(by: .seconds(400))
        try cache.storeFailure(Failure(.timedOut), build: "b", for: Samples.key(3), recipe: Samples.grid)
        let report = try #require(try cache.collect(budget: 1 << 30))
        #expect(report.droppedFailures == 1)
        #expect(cache.statistics().failures == 2)
    }

    @Test("Files of a dead writer go after an hour; files that a live one may be writing stay")
    func leftovers() throws {
        let scratch = try ScratchFolder()
        let clock = TestClock()
        let cache = try filledCache(scratch, 2, clock)
        let orphan = FolderCache.place(Samples.key(1), "png")
        try scratch.write([1], to: orphan)
        unlink("\(scratch.path)/\(FolderCache.place(Samples.key(2), "json"))")
        try scratch.write([1], to: "tmp/0123456789abcdef")
        for folder in ["locks", "local", "local/tmp"] { mkdir("\(scratch.path)/\(folder)", 0o777) }
        let lock = SingleFlight.Flight(Samples.key(7), recipe: Samples.grid).fileName
        try scratch.write([], to: "locks/\(lock)")
        try scratch.write([1], to: "local/tmp/0123456789abcdef")
        try scratch.write([1], to: "\(Samples.key(1).folder)/README")
        let young = FolderCache(path: scratch.path)
        var report = try #require(try young.collect(budget: 1 << 30))
        #expect(report.removedLeftovers == 0 && report.removedTemporaries == 0)
        clock.advance(by: .seconds(3700))
        report = try #require(try cache.collect(budget: 1 << 30))
        #expect(report.removedLeftovers == 2)
        #expect(report.removedTemporaries == 3)
        #expect(scratch.files(below: "tmp").isEmpty && scratch.files(below: "local").isEmpty)
        #expect((try? scratch.status(orphan)) == nil)
        #expect((try? scratch.status("\(Samples.key(1).folder)/README")) != nil, "what is not the cache's own stays")
        #expect(kept(cache, of: 2) == [1])
    }

    @Test("A lock that is held stays, however old its file is")
    func heldLock() throws {
        let scratch = try ScratchFolder()
        let clock = TestClock()
        let cache = try filledCache(scratch, 1, clock)
        let flight = SingleFlight.Flight(Samples.key(), recipe: Samples.grid)
        let hold = cache.singleFlight.acquire([flight], until: Time.monotonic)
        clock.advance(by: .seconds(7200))
        _ = try cache.collect(budget: 1 << 30)
        #expect(scratch.files(below: "locks") == ["locks/\(flight.fileName)"])
        #expect(!cache.singleFlight.acquire([flight], until: Time.monotonic).isComplete)
        hold.release()
    }

    @Test("Stat entries unused for 90 days go, used ones stay")
    func statEntries() throws {
        let scratch = try ScratchFolder()
        let clock = TestClock()
        let cache = FolderCache(path: scratch.path, files: LinuxFileSystem()) { clock.now }
        let used = try FileStatus.of(path: "/usr/bin/env")
        let unused = try FileStatus.of(path: "/usr/bin/flock")
        for status in [used, unused] {
            try cache.statIndex.remember(Samples.key(), for: status, readingBegan: clock.now)
        }
        clock.advance(by: .seconds(86400 * 60))
        #expect(cache.statIndex.key(for: used) == Samples.key())
        clock.advance(by: .seconds(86400 * 60))
        #expect(try cache.collect(budget: 1 << 30)?.droppedStatEntries == 1)
        #expect(cache.statIndex.key(for: used) == Samples.key())
        #expect(cache.statIndex.key(for: unused) == nil)
    }

    @Test("Only one collection runs at a time")
    func oneAtATime() throws {
        let scratch = try ScratchFolder()
        let cache = try filledCache(scratch, 2, TestClock())
        mkdir("\(scratch.path)/locks", 0o777)
        let child = try ChildProgram.holding("\(scratch.path)/locks/collection.lock", ["/bin/sleep", "60"])
        defer {
            child.kill()
            child.ended()
        }
        #expect(try cache.collect(budget: 0) == nil)
        #expect(kept(cache, of: 2) == [1, 2])
    }

    @Test("A collection is needed once the stored files may exceed the budget, and not again after it")
    func trigger() throws {
        let scratch = try ScratchFolder()
        let clock = TestClock()
        let cache = FolderCache(path: scratch.path, files: LinuxFileSystem()) { clock.now }
        let budget: Int64 = 2_000_000
        var stored = 0
        while !cache.needsCollection(budget: budget) {
            stored += 1
            try #require(stored < 100)
            try cache.store(Samples.rendition(byteCount: 100_000), for: Samples.key(stored), recipe: Samples.grid)
        }
        #expect(cache.statistics().byteCount <= budget + 130_000, "not too late")
        #expect(stored >= 10, "nor at every store")
        _ = try cache.collect(budget: budget)
        #expect(!cache.needsCollection(budget: budget))
        #expect(cache.needsCollection(budget: cache.statistics().byteCount / 2))
    }

    @Test("The count starts again when its file has grown long")
    func longCount() throws {
        let scratch = try ScratchFolder()
        let cache = try filledCache(scratch, 1, TestClock())
        try scratch.write([UInt8](repeating: 46, count: (1 << 20) + 1), to: "usage")
        #expect(cache.needsCollection(budget: 1 << 32))
        _ = try cache.collect(budget: 1 << 32)
        #expect((try? scratch.status("usage")) == nil)
        #expect(!cache.needsCollection(budget: 1 << 20))
        try cache.store(Samples.rendition(byteCount: 1 << 20), for: Samples.key(2), recipe: Samples.grid)
        #expect(cache.needsCollection(budget: 1 << 20))
    }

    @Test(
        "A count beyond all numbers asks for a collection, which mends it",
        arguments: [Int64.max, Int64.max - 4096, -1])
    func impossibleCount(total: Int64) throws {
        let scratch = try ScratchFolder()
        let cache = try filledCache(scratch, 1, TestClock())
        let record = JSON.object(["byteCount": .integer(total), "usage": .integer(0)])
        try scratch.write(SealedRecord.bytes(of: record), to: "gc.json")
        #expect(cache.needsCollection(budget: 1 << 30))
        _ = try cache.collect(budget: 1 << 30)
        #expect(!cache.needsCollection(budget: 1 << 30))
    }

    @Test("Every failure has an age, also from before the clock's first and after its last moment")
    func failuresOfAnyTime() throws {
        let now: Int64 = 1_700_000_000_000_000_000
        func isExpired(_ created: Int64) throws -> Bool {
            let json = JSON.object([
                "recipe": .string("1"), "failure": .string("timedOut"), "message": .string(""), "detail": .string(""),
                "build": .string("b"), "created": .integer(created),
            ])
            let record = try #require(EntryRecord.parse(SealedRecord.bytes(of: json))?.record)
            guard case .failure(let stored) = record else { throw Failure(.corrupt) }
            return stored.isExpired(at: now)
        }
        for created in [Int64.min, -1, 0, now + 1, Int64.max] { #expect(try isExpired(created), "\(created)") }
        #expect(try !isExpired(now - 1))
    }

    @Test("A damaged count causes a collection, which repairs it")
    func damagedCount() throws {
        let scratch = try ScratchFolder()
        let cache = try filledCache(scratch, 1, TestClock())
        _ = try cache.collect(budget: 1 << 30)
        let whole = try scratch.read("gc.json")
        try scratch.write(Array(whole.dropLast(3)), to: "gc.json")
        #expect(cache.needsCollection(budget: 1 << 30))
        _ = try cache.collect(budget: 1 << 30)
        #expect(!cache.needsCollection(budget: 1 << 30))
    }
}
