import CLinux
import Linux
import Media
import TestDeadline
import Testing
import ThumbnailCache

/// Each test lets an operation run with its n-th file operation failing, for every n until one run needs no n-th
/// operation; then looks at the cache with sound operations.
@Suite("The cache when the n-th file operation fails", .deadline)
struct FaultTests {
    enum Manner: CaseIterable {
        /// Only the n-th fails: a full disk, a bad block.
        case once
        /// All from the n-th on: the process was killed.
        case crash

        func fault(_ index: Int) -> FaultyFileSystem.Fault { self == .once ? .once(index) : .fromOn(index) }
    }

    /// Runs `body` over a new cache that `prepare` has filled, for every n.
    private func forEveryOperation(
        _ manner: Manner, _ number: Int32, prepare: (FolderCache) throws -> Void,
        body: (FolderCache) throws -> Void, check: (FolderCache, ScratchFolder, _ thrown: Failure?) throws -> Void
    ) throws {
        for index in 0..<1000 {
            let scratch = try ScratchFolder()
            let sound = FolderCache(path: scratch.path + "/cache")
            try prepare(sound)
            let files = FaultyFileSystem(manner.fault(index), number: number)
            var thrown: Failure?
            do {
                try body(FolderCache(path: sound.path, files: files))
            } catch let failure as Failure {
                thrown = failure
            }
            #expect(thrown == nil || thrown?.code == .unavailable)
            try check(sound, scratch, thrown)
            if files.operationCount <= index {
                #expect(index > 0 && thrown == nil, "the last run met no fault")
                return
            }
        }
        Issue.record("no run without a fault")
    }

    private static let errors = [ENOSPC, EIO, EROFS, EACCES]

    @Test("Storing into an empty cache leaves the rendition or a miss", arguments: Manner.allCases, errors)
    func storing(manner: Manner, number: Int32) throws {
        try forEveryOperation(manner, number) { _ in
        } body: {
            try $0.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        } check: { cache, scratch, thrown in
            let found = cache.lookup(Samples.key())
            #expect(thrown == nil ? found.rendition == Samples.rendition() : found == .miss)
            if manner == .once {
                #expect(scratch.files(below: "cache/tmp").isEmpty)
                #expect(scratch.files(below: "cache/local").isEmpty)
                if thrown != nil { #expect(scratch.files(below: "cache/v1").isEmpty) }
            }
        }
    }

    @Test("Storing over an entry leaves the new one, the old one or a miss", arguments: Manner.allCases, errors)
    func replacing(manner: Manner, number: Int32) throws {
        let old = Samples.rendition(1)
        let new = Samples.rendition(2)
        try forEveryOperation(manner, number) {
            try $0.store(old, for: Samples.key(), recipe: Samples.grid)
        } body: {
            try $0.store(new, for: Samples.key(), recipe: Samples.grid)
        } check: { cache, _, thrown in
            let found = cache.lookup(Samples.key())
            if thrown == nil {
                #expect(found.rendition == new)
            } else {
                #expect(found == .miss || found.rendition == old || found.rendition == new)
            }
            try cache.store(new, for: Samples.key(), recipe: Samples.grid)
            #expect(cache.lookup(Samples.key()).rendition == new, "whatever was left is replaced")
        }
    }

    @Test("Looking up gives the rendition or a miss", arguments: Manner.allCases, errors)
    func lookingUp(manner: Manner, number: Int32) throws {
        try forEveryOperation(manner, number) {
            try $0.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        } body: {
            let found = $0.lookup(Samples.key())
            #expect(found == .miss || found.rendition == Samples.rendition())
        } check: { cache, _, _ in
            #expect(cache.lookup(Samples.key()).rendition == Samples.rendition())
        }
    }

    @Test("Failures and facts are kept whole or not at all", arguments: Manner.allCases, errors)
    func failuresAndFacts(manner: Manner, number: Int32) throws {
        let failure = Failure(.encrypted)
        try forEveryOperation(manner, number) { _ in
        } body: {
            try $0.storeFacts(Samples.facts, for: Samples.key())
            try $0.storeFailure(failure, build: Samples.build, for: Samples.key(), recipe: Samples.grid)
        } check: { cache, _, thrown in
            let found = cache.lookup(Samples.key())
            #expect(found.storedFailure?.failure == failure || (thrown != nil && found == .miss))
            #expect(cache.facts(of: Samples.key()).map { $0 == Samples.facts } ?? (thrown != nil))
        }
    }

    @Test("Promotion to a digest leaves each recipe under one key, or a miss", arguments: Manner.allCases, errors)
    func promoting(manner: Manner, number: Int32) throws {
        let statKey = StatKey(of: try FileStatus.of(path: "/usr/bin/env"))
        try forEveryOperation(manner, number) {
            try $0.store(Samples.rendition(1), for: Samples.key(), recipe: Samples.grid)
            try $0.store(Samples.rendition(2), for: .local(statKey), recipe: Samples.grid)
            try $0.store(Samples.rendition(3), for: .local(statKey), recipe: Samples.list)
        } body: {
            try $0.promote(statKey, to: Samples.digest(1))
        } check: { cache, _, thrown in
            #expect(cache.lookup(Samples.key()).rendition == Samples.rendition(1))
            let list = cache.lookup(Samples.key(), Samples.list)
            #expect(list.rendition == Samples.rendition(3) || (thrown != nil && list == .miss))
            let local = cache.lookup(.local(statKey), Samples.list)
            #expect(local == .miss || (thrown != nil && local.rendition == Samples.rendition(3)))
        }
    }

    @Test(
        "A collection that is cut short leaves renditions or misses, and purging ends in a miss or says so",
        arguments: Manner.allCases, [ENOSPC, EIO])
    func removing(manner: Manner, number: Int32) throws {
        try forEveryOperation(manner, number) {
            for index in 1...3 {
                try $0.store(Samples.rendition(UInt8(index)), for: Samples.key(index), recipe: Samples.grid)
                try $0.storeFacts(Samples.facts, for: Samples.key(index))
            }
        } body: {
            try $0.purge(Samples.digest(3))
            _ = try $0.collect(budget: 20_000)
        } check: { cache, _, thrown in
            for index in 1...3 {
                let found = cache.lookup(Samples.key(index))
                #expect(found == .miss || found.rendition == Samples.rendition(UInt8(index)))
            }
            if thrown == nil { #expect(cache.lookup(Samples.key(3)) == .miss) }
            #expect(cache.verify().isEmpty, "records go before their renditions")
        }
    }

    @Test("The stat index has the right key, or none", arguments: Manner.allCases, errors)
    func statIndex(manner: Manner, number: Int32) throws {
        let status = try FileStatus.of(path: "/usr/bin/env")
        try forEveryOperation(manner, number) { _ in
        } body: {
            try $0.statIndex.remember(Samples.key(), for: status, readingBegan: Time.wall)
            let found = $0.statIndex.key(for: status)
            #expect(found == nil || found == Samples.key())
        } check: { cache, _, thrown in
            let found = cache.statIndex.key(for: status)
            #expect(found == Samples.key() || (thrown != nil && found == nil))
        }
    }
}
