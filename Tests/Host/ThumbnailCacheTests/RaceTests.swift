import Linux
import Media
import Synchronization
import TestDeadline
import Testing
import ThumbnailCache

@Suite("Simultaneous readers, writers, collections and purges", .deadline)
struct RaceTests {
    @Test("A reader beside writers and collections sees a rendition that was stored, or a miss")
    func allAtOnce() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path + "/cache"
        let wrong = Atomic(0)
        let hits = Atomic(0)
        let writers = Atomic(2)
        try withThreads(6) { number in
            // A cache of its own each, as processes have.
            let cache = FolderCache(path: path)
            switch number {
            case 0, 1:
                for round in 0..<300 {
                    do {
                        try cache.store(
                            Self.rendition(round % 5, by: number), for: Samples.key(round % 5), recipe: grid)
                    } catch {
                        Issue.record(error, "a writer whose folder is collected makes it again")
                    }
                }
                writers.subtract(1, ordering: .sequentiallyConsistent)
            default:
                var round = 0
                while writers.load(ordering: .sequentiallyConsistent) > 0 {
                    round += 1
                    let source = round % 5
                    switch number {
                    case 2: _ = try? cache.collect(budget: round % 5 == 0 ? 0 : 60_000)
                    case 3: if round % 100 == 0 { _ = try? cache.purge(Samples.digest(source)) }
                    default:
                        guard let found = cache.lookup(Samples.key(source)).rendition else { continue }
                        hits.add(1, ordering: .relaxed)
                        if !(0...1).contains(where: { found == Self.rendition(source, by: $0) }) {
                            wrong.add(1, ordering: .relaxed)
                        }
                    }
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(hits.load(ordering: .relaxed) > 0)
        #expect(scratch.files(below: "cache/tmp").isEmpty)
        #expect(FolderCache(path: path).statistics().damaged == 0, "nothing was damaged, at any moment")
    }

    @Test(
        "At every moment of a store over other bytes, a reader sees the old rendition, the new one or a miss, no damage"
    )
    func duringReplacement() throws {
        var index = 0
        while true {
            let scratch = try ScratchFolder()
            let cache = FolderCache(path: scratch.path + "/cache")
            try cache.store(Samples.rendition(1), for: Samples.key(), recipe: grid)
            let files = FaultyFileSystem(before: index) {
                let found = cache.lookup(Samples.key())
                #expect(found == .miss || (1...2).contains { found.rendition == Samples.rendition($0) })
            }
            try FolderCache(path: cache.path, files: files)
                .store(Samples.rendition(2), for: Samples.key(), recipe: grid)
            #expect(cache.statistics().damaged == 0, "operation \(index)")
            #expect(cache.lookup(Samples.key()).rendition == Samples.rendition(2))
            index += 1
            if files.operationCount <= index { break }
        }
        #expect(index > 4, "two files are written and renamed")
    }

    private let grid = Samples.grid

    /// What one of the writers makes of a source: they differ in size and in every byte.
    private static func rendition(_ source: Int, by writer: Int) -> Rendition {
        Samples.rendition(UInt8(source * 10 + writer), byteCount: 2000 + writer * 500)
    }

    @Test(
        "A writer, a purge or a collection between a reader's two reads is no damage",
        arguments: ["store", "purge", "collect"])
    func betweenReads(other: String) throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path + "/cache")
        try cache.store(Samples.rendition(1), for: Samples.key(), recipe: grid)
        let files = FaultyFileSystem(before: 1) {
            switch other {
            case "store": _ = try? cache.store(Samples.rendition(2), for: Samples.key(), recipe: Samples.grid)
            case "purge": _ = try? cache.purge(Samples.digest(1))
            default: _ = try? cache.collect(budget: 0)
            }
        }
        let found = FolderCache(path: cache.path, files: files).lookup(Samples.key())
        #expect(other == "store" ? found.rendition == Samples.rendition(2) : found == .miss)
        #expect(cache.statistics().damaged == 0)
    }

    @Test("One writer's record beside another writer's file is a miss, and damage only once nobody writes any more")
    func betweenWriters() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path)
        try cache.store(Samples.rendition(1), for: Samples.key(), recipe: grid)
        let record = try scratch.read(FolderCache.place(Samples.key(), "json"))
        try cache.store(Samples.rendition(2), for: Samples.key(), recipe: grid)
        try scratch.write(record, to: FolderCache.place(Samples.key(), "json"))
        #expect(cache.lookup(Samples.key()) == .miss)
        #expect(cache.statistics().damaged == 0)
        scratch.setTimes(Samples.key().folder, to: 0)
        #expect(cache.lookup(Samples.key()) == .miss)
        #expect(cache.statistics().damaged == 1)
    }

    @Test("Equal renditions from many simultaneous writers are hits from the first one on")
    func equalStores() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path + "/cache"
        let cache = FolderCache(path: path)
        try cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
        let misses = Atomic(0)
        try withThreads(4) { number in
            let cache = FolderCache(path: path)
            for _ in 0..<200 {
                if number < 2 {
                    _ = try? cache.store(Samples.rendition(), for: Samples.key(), recipe: Samples.grid)
                } else if cache.lookup(Samples.key()).rendition != Samples.rendition() {
                    misses.add(1, ordering: .relaxed)
                }
            }
        }
        #expect(misses.load(ordering: .relaxed) == 0)
        #expect(cache.statistics().damaged == 0)
    }

    @Test("Many simultaneous promotions of one entry lose nothing")
    func promotions() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path + "/cache")
        let statKey = StatKey(of: try FileStatus.of(path: "/usr/bin/env"))
        for round in 0..<30 {
            try cache.store(Samples.rendition(7), for: .local(statKey), recipe: Samples.grid)
            try withThreads(4) { _ in
                #expect(throws: Never.self) { try cache.promote(statKey, to: Samples.digest(round)) }
            }
            #expect(cache.lookup(Samples.key(round)).rendition == Samples.rendition(7))
        }
    }
}
