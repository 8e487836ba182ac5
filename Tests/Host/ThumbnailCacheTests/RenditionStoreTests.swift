import Linux
import Media
import TestDeadline
import Testing
import ThumbnailCache

@Suite("FolderCache: renditions, failures and facts", .deadline)
struct RenditionStoreTests {
    @Test("A rendition that was never stored is a miss")
    func empty() throws {
        let store = try FolderCache.make(TestClock())
        #expect(store.lookup(Samples.key()) == .miss)
        #expect(store.facts(of: Samples.key()) == nil)
    }

    @Test("A stored rendition is a hit, whole, under its own key and recipe only")
    func hit() throws {
        let store = try FolderCache.make(TestClock())
        let stored = try store.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        #expect(stored.rendition == Samples.rendition())
        #expect(store.lookup(Samples.key()) == .hit(stored))
        #expect(store.lookup(Samples.key(), Samples.list) == .miss)
        #expect(store.lookup(Samples.key(2)) == .miss)
    }

    @Test("A rendition without placeholder and poster comes back without them")
    func absentFields() throws {
        let store = try FolderCache.make(TestClock())
        let plain = Rendition(bytes: [1], format: .webp, width: 1, height: 2, build: "b")
        try store.store(plain, for: Samples.key(), recipe: Samples.grid)
        #expect(store.lookup(Samples.key()).rendition == plain)
    }

    @Test("The rendition stored last counts, whatever its format", arguments: RenditionFormat.allCases)
    func replaced(format: RenditionFormat) throws {
        let store = try FolderCache.make(TestClock())
        try store.store(Samples.rendition(1), for: Samples.key(), recipe: Samples.grid)
        try store.store(Samples.rendition(2, format: format), for: Samples.key(), recipe: Samples.grid)
        #expect(store.lookup(Samples.key()).rendition == Samples.rendition(2, format: format))
    }

    @Test(
        "A lasting failure counts for the build that failed, and is tried again by any other"
    )
    func failureOfABuild() throws {
        let clock = TestClock()
        let store = try FolderCache.make(clock)
        let failure = Failure(.corrupt, detail: "no end of image")
        try store.storeFailure(failure, build: "libvips 8.14", for: Samples.key(), recipe: Samples.grid)
        let found = store.lookup(Samples.key(), recipe: Samples.grid) { "libvips 8.14" }.storedFailure
        #expect(found?.failure == failure)
        #expect(found?.build == "libvips 8.14")
        #expect(found?.created == clock.now)
        #expect(store.lookup(Samples.key(), recipe: Samples.grid) { "libvips 8.15" } == .miss)
        #expect(store.lookup(Samples.key(), recipe: Samples.grid) { nil } == .miss)
        clock.advance(by: .seconds(86400 * 365))
        #expect(store.lookup(Samples.key(), recipe: Samples.grid) { "libvips 8.14" } != .miss)
    }

    @Test(
        "A failure that the machine may have caused counts for five minutes, whatever the build",
        arguments: [
            Failure(.timedOut), Failure(.crashed), Failure(.tooLarge, detail: Failure.memoryDetail + ": 512 MiB"),
        ])
    func transientFailure(failure: Failure) throws {
        let clock = TestClock()
        let store = try FolderCache.make(clock)
        try store.storeFailure(failure, build: "old", for: Samples.key(), recipe: Samples.grid)
        clock.advance(by: .seconds(299))
        #expect(store.lookup(Samples.key()).storedFailure?.failure == failure)
        clock.advance(by: .seconds(2))
        #expect(store.lookup(Samples.key()) == .miss)
    }

    @Test("A failure from the future does not count")
    func clockSetBack() throws {
        let clock = TestClock()
        let store = try FolderCache.make(clock)
        try store.storeFailure(Failure(.timedOut), build: "b", for: Samples.key(), recipe: Samples.grid)
        clock.advance(by: .seconds(-3600))
        #expect(store.lookup(Samples.key()) == .miss)
    }

    @Test(
        "A failure that does not belong to the content is not kept",
        arguments:
            Failure.Code.allCases.filter { !Failure($0).belongsToContent })
    func passingFailure(code: Failure.Code) throws {
        let store = try FolderCache.make(TestClock())
        try store.storeFailure(Failure(code), build: Samples.build, for: Samples.key(), recipe: Samples.grid)
        #expect(store.lookup(Samples.key()) == .miss)
    }

    @Test("The renderer is asked for its build only where a lasting failure is found")
    func buildIsAskedSeldom() throws {
        let store = try FolderCache.make(TestClock())
        var asked = 0
        func look() {
            _ = store.lookup(Samples.key(), recipe: Samples.grid) {
                asked += 1
                return "b"
            }
        }
        look()
        try store.storeFailure(Failure(.timedOut), build: "b", for: Samples.key(), recipe: Samples.grid)
        look()
        try store.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        look()
        #expect(asked == 0)
        try store.storeFailure(Failure(.corrupt), build: "b", for: Samples.key(), recipe: Samples.grid)
        look()
        #expect(asked == 1)
    }

    @Test("A rendition replaces a failure, and a failure a rendition")
    func failureAndRendition() throws {
        let store = try FolderCache.make(TestClock())
        try store.storeFailure(Failure(.corrupt), build: Samples.build, for: Samples.key(), recipe: Samples.grid)
        try store.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        #expect(store.lookup(Samples.key()).rendition == Samples.rendition())
        try store.storeFailure(Failure(.corrupt), build: Samples.build, for: Samples.key(), recipe: Samples.grid)
        #expect(store.lookup(Samples.key()).storedFailure?.failure.code == .corrupt)
    }

    @Test("Facts come back as they were stored, and only another build replaces them")
    func facts() throws {
        let store = try FolderCache.make(TestClock())
        try store.storeFacts(Samples.facts, for: Samples.key())
        #expect(store.facts(of: Samples.key()) == Samples.facts)
        var other = Samples.facts
        other.facts.width = 7
        try store.storeFacts(other, for: Samples.key())
        #expect(store.facts(of: Samples.key()) == Samples.facts)
        other.build = "fake 2.0"
        try store.storeFacts(other, for: Samples.key())
        #expect(store.facts(of: Samples.key()) == other)
    }

    @Test("Purging forgets everything of one source and nothing of another")
    func purge() throws {
        let store = try FolderCache.make(TestClock())
        for number in 1...2 {
            try store.store(Samples.rendition(), for: Samples.key(number), recipe: Samples.grid)
            try store.storeFailure(Failure(.corrupt), build: "b", for: Samples.key(number), recipe: Samples.list)
            try store.storeFacts(Samples.facts, for: Samples.key(number))
        }
        #expect(try store.purge(Samples.digest(1)))
        #expect(store.lookup(Samples.key(1)) == .miss)
        #expect(store.lookup(Samples.key(1), recipe: Samples.list) { "b" } == .miss)
        #expect(store.facts(of: Samples.key(1)) == nil)
        #expect(store.lookup(Samples.key(2)).rendition == Samples.rendition())
        #expect(store.facts(of: Samples.key(2)) == Samples.facts)
        #expect(try !store.purge(Samples.digest(1)))
    }
}

@Suite("Promotion to a digest in every store", .deadline)
struct PromotionTests {
    private func statKey() throws -> StatKey { StatKey(of: try FileStatus.of(path: "/usr/bin/env")) }

    @Test("Everything moves to a digest without an entry")
    func moves() throws {
        let store = try FolderCache.make(TestClock())
        let local = try SourceKey.local(statKey())
        try store.store(Samples.rendition(), for: local, recipe: Samples.grid)
        try store.storeFacts(Samples.facts, for: local)
        try store.promote(statKey(), to: Samples.digest(1))
        #expect(store.lookup(Samples.key()).rendition == Samples.rendition())
        #expect(store.facts(of: Samples.key()) == Samples.facts)
        #expect(store.lookup(local) == .miss)
        #expect(store.facts(of: local) == nil)
    }

    @Test("Renditions under the digest stay, and missing ones are moved there")
    func merges() throws {
        let store = try FolderCache.make(TestClock())
        let local = try SourceKey.local(statKey())
        try store.store(Samples.rendition(1), for: Samples.key(), recipe: Samples.grid)
        try store.store(Samples.rendition(2, format: .png), for: local, recipe: Samples.grid)
        try store.store(Samples.rendition(3), for: local, recipe: Samples.list)
        try store.storeFacts(Samples.facts, for: local)
        try store.promote(statKey(), to: Samples.digest(1))
        #expect(store.lookup(Samples.key()).rendition == Samples.rendition(1))
        #expect(store.lookup(Samples.key(), Samples.list).rendition == Samples.rendition(3))
        #expect(store.facts(of: Samples.key()) == Samples.facts)
        #expect(store.lookup(local) == .miss)
        #expect(store.lookup(local, Samples.list) == .miss)
    }

    @Test("A stat key without an entry is no error")
    func nothing() throws {
        let store = try FolderCache.make(TestClock())
        try store.promote(statKey(), to: Samples.digest(1))
        #expect(store.lookup(Samples.key()) == .miss)
    }
}

extension FolderCache {
    /// A new, empty cache over a clock.
    fileprivate static func make(_ clock: TestClock) throws -> FolderCache {
        let scratch = try ScratchFolder()
        return FolderCache(path: scratch.path + "/cache", files: FaultyFileSystem(keeping: scratch)) { clock.now }
    }
}
