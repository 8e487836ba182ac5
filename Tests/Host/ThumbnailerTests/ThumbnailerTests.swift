import Hashing
import Linux
import Media
import SourceFiles
import TestDeadline
import Testing
import ThumbnailCache
import Thumbnailer

@Suite("The engine", .deadline)
struct ThumbnailerTests {
    private let small = Recipe(box: Box(width: 8, height: 8)!, fit: .inside)
    private let large = Recipe(box: Box(width: 16, height: 16)!, fit: .inside)

    @Test("A rendition that was made once comes from the cache, without a renderer")
    func cached() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let order = Order(recipes: [small, large])
        let made = try engine.thumbnailer().thumbnails(of: try engine.source("paint"), order: order)
        #expect(!made.isCached)
        #expect(try made.results.map { try $0.get().rendition.width } == [8, 16])
        #expect(made.digest == SHA256.digest(of: Array("paint".utf8)))
        // The same bytes under another name are the same source.
        let again = try engine.thumbnailer(hasRenderers: false)
            .thumbnails(of: try engine.source("paint", name: "copy"), order: order)
        #expect(try again.results.map { try $0.get().path } == made.results.map { try $0.get().path })
        #expect(again.facts == made.facts)
        #expect(again.placeholder == made.placeholder)
    }

    @Test("A digest that the caller knows is not computed again")
    func knownDigest() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let digest = SHA256.digest(of: Array("what the caller says".utf8))
        let order = Order(recipes: [small], wantsDigest: true, knownDigest: digest)
        let made = try engine.thumbnailer().thumbnails(of: try engine.source("paint"), order: order)
        #expect(made.digest == digest)
        #expect(try made.results[0].get().path?.contains(digest.hex) == true)
        #expect(made.timings.steps.allSatisfy { $0.name != "hash" })
    }

    @Test("A transient failure counts for minutes, but not for a caller with a backoff of its own")
    func retrying() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let source = try engine.source("paint")
        let key = SourceKey.digest(SHA256.digest(of: Array("paint".utf8)))
        try engine.cache.storeFailure(Failure(.timedOut), build: "fake 1", for: key, recipe: small)
        let patient = try engine.thumbnailer().thumbnails(of: source, order: Order(recipes: [small]))
        #expect(throws: Failure(.timedOut)) { try patient.results[0].get() }
        let order = Order(recipes: [small], retriesTransientFailures: true)
        #expect(try engine.thumbnailer().thumbnails(of: source, order: order).results[0].get().path != nil)
        // What belongs to the content is no different now.
        try engine.cache.storeFailure(Failure(.corrupt), build: "fake 1", for: key, recipe: large)
        let again = Order(recipes: [large], retriesTransientFailures: true)
        let kept = try engine.thumbnailer().thumbnails(of: source, order: again)
        #expect(throws: Failure(.corrupt)) { try kept.results[0].get() }
    }

    @Test("A forced order makes everything again")
    func forced() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let order = Order(recipes: [small], isForced: true)
        _ = try engine.thumbnailer().thumbnails(of: try engine.source("paint"), order: order)
        #expect(throws: Failure.self) {
            try engine.thumbnailer(hasRenderers: false).thumbnails(of: try engine.source("paint"), order: order)
        }
    }

    @Test("A file too large to hash lies under its stat key, and moves to its digest when that is wanted")
    func promotion() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let source = try engine.source("paint")
        Time.sleep(StatIndex.clockGrain + .milliseconds(100))
        let old = try SourceFile.open(source.name)
        let thumbnailer = engine.thumbnailer(maxUnhashed: 1)
        let local = try thumbnailer.thumbnails(of: old, order: Order(recipes: [small]))
        #expect(local.digest == nil)
        #expect(try local.results[0].get().path?.contains("/local/") == true)
        let order = Order(recipes: [small], wantsDigest: true)
        let digested = try engine.thumbnailer(maxUnhashed: 1).thumbnails(of: old, order: order)
        #expect(digested.digest != nil)
        #expect(try digested.results[0].get().path?.contains("/v1/") == true)
        #expect(digested.timings.steps.allSatisfy { $0.name != "render" }, "it was moved, not made again")
    }

    @Test("A cache that cannot be written is a warning, and the rendition is handed over")
    func unwritableCache() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let nowhere = FolderCache(path: "/proc/no-such-folder")
        let made = try engine.thumbnailer(cache: nowhere)
            .thumbnails(of: try engine.source("paint"), order: Order(recipes: [small]))
        let stored = try made.results[0].get()
        #expect(stored.path == nil)
        #expect(stored.rendition.bytes.starts(with: [0xFF, 0xD8]))
        #expect(engine.warningCount > 0)
    }

    @Test("Recipes of different pages are made in a decode each, and come back in their order")
    func groups() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        var second = large
        second.pageIndex = 1
        let made = try engine.thumbnailer()
            .thumbnails(of: try engine.source("paint"), order: Order(recipes: [small, second, large]))
        #expect(try made.results.map { try $0.get().rendition.width } == [8, 16, 16])
    }

    @Test("A source that a renderer dies of fails by itself, and the next one is fine")
    func crash() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let thumbnailer = engine.thumbnailer()
        let failure = #expect(throws: Failure.self) {
            try thumbnailer.thumbnails(of: try engine.source("crash 11"), order: Order(recipes: [small]))
        }
        #expect(failure?.code == .crashed)
        _ = try thumbnailer.thumbnails(of: try engine.source("paint"), order: Order(recipes: [small]))
    }

    @Test("Nothing that a faulty renderer makes is kept as a rendition")
    func faultsKeepNothing() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let (thumbnailer, offline) = (engine.thumbnailer(), engine.thumbnailer(hasRenderers: false))
        let order = Order(recipes: [small])
        let faults = [
            "crash 11", "crash 6", "exit 0", "nonsense", "truncated", "trailing", "oversized", "missing", "huge",
            "silent",
            "closed", "twice", "gifts", "fail", "connect", "write", "pretend", "allocate",
        ]
        // Two of them answer soundly and do something else besides.
        let sound = ["twice", "gifts"]
        for round in 0..<10 {
            for fault in faults {
                let text = "\(fault) \(round)"
                _ = try? thumbnailer.thumbnails(of: try engine.source(text), order: order)
                let kept = try? offline.thumbnails(of: try engine.source(text), order: order)
                let isKept = (try? kept?.results[0].get()) != nil
                #expect(!isKept || sound.contains(fault), "\(text) left a rendition")
            }
            let text = "paint \(round)"
            let made = try thumbnailer.thumbnails(of: try engine.source(text), order: order)
            let kept = try offline.thumbnails(of: try engine.source(text), order: order)
            #expect(try kept.results[0].get().rendition.bytes == made.results[0].get().rendition.bytes)
        }
        #expect(engine.cache.verify() == [])
    }

    @Test("An empty source is corrupt, and says that it is empty")
    func empty() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let failure = #expect(throws: Failure.self) {
            try engine.thumbnailer().thumbnails(of: try engine.source(""), order: Order(recipes: [small]))
        }
        #expect(failure?.message == "File is empty.")
    }

    @Test("Padding of contain has the background's colour and the box's size")
    func contain() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let recipe = Recipe(box: Box(width: 8, height: 8)!, fit: .contain, format: .png)
        let made = try engine.thumbnailer().thumbnails(of: try engine.source("paint"), order: Order(recipes: [recipe]))
        let rendition = try made.results[0].get().rendition
        #expect(rendition.format == .png)
        #expect(rendition.width == 8 && rendition.height == 8)
    }
}
