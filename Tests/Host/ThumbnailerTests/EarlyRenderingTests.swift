import CLinux
import Hashing
import Linux
import Media
import RenderHost
import SourceFiles
import Synchronization
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

@Suite("An early rendering ends with its run", .deadline)
struct EarlyRenderingTests {
    private let recipe = Recipe(box: Box(width: 8, height: 8)!, fit: .inside)

    /// Large enough to be begun before it is hashed; the child never ends by itself.
    private func hanging(_ engine: FakeEngine) throws -> (source: SourceFile, digest: Digest) {
        let text = "hang as image/png" + String(repeating: " ", count: 2 << 20)
        return (try engine.source(text, name: "hanging.png"), SHA256.digest(of: Array(text.utf8)))
    }

    @Test("Where the cache has the rendition under the digest, the early child is gone when the run returns")
    func unneeded() throws {
        let engine = try FakeEngine()
        defer { engine.close() }
        let (source, digest) = try hanging(engine)
        let made = try engine.thumbnailer(maxUnhashed: 16 << 20)
            .thumbnails(of: try engine.source("paint"), order: Order(recipes: [recipe]))
        try engine.cache.store(try made.results[0].get().rendition, for: .digest(digest), recipe: recipe)
        for _ in 0..<20 {
            let found = try engine.thumbnailer(maxUnhashed: 16 << 20)
                .thumbnails(of: source, order: Order(recipes: [recipe]))
            #expect(try found.results[0].get().path?.contains(digest.hex) == true)
            #expect(engine.host.runningCount == 0)
        }
    }

    @Test("A run that has ended does not wait for a renderer that does not start")
    func notStarted() throws {
        let engine = try FakeEngine(isGated: true)
        defer { engine.close() }
        let (source, _) = try hanging(engine)
        let cancellation = Cancellation()
        let result = Promise<Failure.Code?>()
        let thread = try WorkerThread(name: "run") {
            let order = Order(recipes: [recipe], cancellation: cancellation)
            let made = Result { () throws(Failure) in
                try engine.thumbnailer(maxUnhashed: 16 << 20).thumbnails(of: source, order: order)
            }
            if case .failure(let failure) = made { result.fulfil(failure.code) } else { result.fulfil(nil) }
        }
        #expect(eventually { engine.host.runningCount == 1 })
        cancellation.cancel()
        #expect(try result.value() == .cancelled)
        thread.join()
        #expect(engine.host.runningCount == 0)
        try engine.openGate()
    }
}
