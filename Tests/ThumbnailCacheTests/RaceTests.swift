import Linux
import Media
import Synchronization
import Testing
import ThumbnailCache

@Suite("Readers, writers, collections and purges at once")
struct RaceTests {
    @Test("A reader beside writers and collections sees one of the renditions that were stored, or a miss")
    func allAtOnce() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path + "/cache"
        let wrong = Atomic(0)
        let hits = Atomic(0)
        let failed = Atomic(0)
        try withThreads(6) { number in
            // A cache of its own each, as processes have.
            let cache = FolderCache(path: path)
            for round in 0..<300 {
                let source = round % 5
                switch number {
                case 0, 1:
                    let rendition = Samples.rendition(UInt8(source * 10 + number), byteCount: 2000 + number * 500)
                    if (try? cache.store(rendition, for: Samples.key(source), recipe: Samples.grid)) == nil {
                        failed.add(1, ordering: .relaxed)
                    }
                case 2: _ = try? cache.collect(budget: round % 3 == 0 ? 0 : 30_000)
                case 3: if round % 10 == 0 { _ = try? cache.purge(Samples.digest(source)) }
                default:
                    guard let found = cache.lookup(Samples.key(source)).rendition else { continue }
                    hits.add(1, ordering: .relaxed)
                    let possible = (0...1).map {
                        Samples.rendition(UInt8(source * 10 + $0), byteCount: 2000 + $0 * 500)
                    }
                    if !possible.contains(found) { wrong.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(failed.load(ordering: .relaxed) == 0, "a writer whose folder is collected makes it again")
        #expect(hits.load(ordering: .relaxed) > 0)
        #expect(scratch.files(below: "cache/tmp").isEmpty)
    }

    @Test("Equal renditions stored by many at once are a hit for everyone from the first on")
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

    @Test("Many that move one entry to its digest lose nothing")
    func promotions() throws {
        let scratch = try ScratchFolder()
        let cache = FolderCache(path: scratch.path + "/cache")
        let statKey = StatKey(of: try FileStatus.of(path: "/tmp"))
        for round in 0..<30 {
            try cache.store(Samples.rendition(7), for: .local(statKey), recipe: Samples.grid)
            try withThreads(4) { _ in
                #expect(throws: Never.self) { try cache.promote(statKey, to: Samples.digest(round)) }
            }
            #expect(cache.lookup(Samples.key(round)).rendition == Samples.rendition(7))
        }
    }
}
