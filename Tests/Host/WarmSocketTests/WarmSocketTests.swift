import CLinux
import Hashing
import Linux
import Media
import SourceFiles
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

@Suite("Warm renderers through a socket", .deadline)
struct WarmSocketTests {
    private let small = Recipe(box: Box(width: 8, height: 8)!, fit: .inside)
    private let large = Recipe(box: Box(width: 16, height: 16)!, fit: .inside)

    @Test("The other process makes what the cache lacks, and is not asked on a hit")
    func made() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        defer { server.stop() }
        let engine = machine.engine(asking: machine.client())
        let order = Order(recipes: [small, large])
        let made = try engine.thumbnails(of: try machine.source("paint"), order: order)
        #expect(made.isWarm && !made.isCached)
        #expect(try made.results.map { try $0.get().rendition.width } == [8, 16])
        #expect(made.digest == SHA256.digest(of: Array("paint".utf8)))
        #expect(made.facts?.byteCount == 5)
        #expect(made.placeholder?.isEmpty == false)
        #expect(made.timings.steps.contains { $0.name == "render" })
        #expect(made.timings.steps.contains { $0.name == "socket" })
        // The very renditions that the same engine makes alone.
        let alone = try machine.engine().thumbnails(
            of: try machine.source("paint"), order: Order(recipes: [small, large], isForced: true))
        #expect(!alone.isWarm)
        #expect(
            try alone.results.map { try $0.get().rendition.bytes } == made.results.map { try $0.get().rendition.bytes })
        #expect(alone.facts == made.facts)

        let again = try engine.thumbnails(of: try machine.source("paint", name: "copy.png"), order: order)
        #expect(again.isCached || again.isWarm)
        #expect(machine.served.count <= 2)
    }

    @Test("A file that the stat index knows is answered without a connection")
    func hit() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        defer { server.stop() }
        let source = try machine.source("paint")
        Time.sleep(StatIndex.clockGrain + .milliseconds(100))
        let engine = machine.engine(asking: machine.client())
        let first = try engine.thumbnails(of: try .open(source.name), order: Order(recipes: [small]))
        #expect(first.isWarm)
        let second = try engine.thumbnails(of: try .open(source.name), order: Order(recipes: [small]))
        #expect(second.isCached && !second.isWarm)
        #expect(eventually { machine.served.count == 1 })
    }

    @Test("A forced order is made again; a file too large to hash comes back under its stat key")
    func orders() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server(machine.engine(maxUnhashed: 1))
        defer { server.stop() }
        let engine = machine.engine(maxUnhashed: 1, asking: machine.client())
        let local = try engine.thumbnails(of: try machine.source("paint"), order: Order(recipes: [small]))
        #expect(local.isWarm && local.digest == nil)
        #expect(try local.results[0].get().path?.contains("/local/") == true)
        let forced = try engine.thumbnails(
            of: try machine.source("paint"), order: Order(recipes: [small], isForced: true, wantsDigest: true))
        #expect(forced.isWarm && !forced.isCached)
        #expect(try forced.results[0].get().path?.contains("/v1/") == true)
    }

    @Test("A failure through the socket is the same as one met here", arguments: ["fail", ""])
    func failures(text: String) throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        defer { server.stop() }
        let source = try machine.source(text)
        let order = Order(recipes: [small])
        func failure(_ engine: Thumbnailer) -> Failure? {
            do throws(Failure) {
                _ = try engine.thumbnails(of: source, order: order)
                return nil
            } catch {
                return error
            }
        }
        let alone = failure(machine.engine())
        #expect(alone?.code == (text.isEmpty ? .corrupt : .encrypted))
        #expect(failure(machine.engine(asking: machine.client())) == alone)
        #expect(machine.explanations.last?.contains("a running thumbd reports") == true)
    }

    @Test("Many simultaneous requests are served side by side, each with its own answer")
    func many() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        defer { server.stop() }
        let engine = machine.engine(asking: machine.client())
        let recipe = small
        let results = (0..<24).map { _ in Promise<Result<Thumbnails, Failure>>() }
        for (index, promise) in results.enumerated() {
            let source = try machine.source("paint \(index)", name: "\(index).png")
            _ = try WorkerThread(name: "asker") {
                promise.fulfil(
                    Result { () throws(Failure) in
                        try engine.thumbnails(of: source, order: Order(recipes: [recipe]))
                    })
            }
        }
        for (index, promise) in results.enumerated() {
            let made = try promise.value().get()
            #expect(made.isWarm)
            #expect(made.digest == SHA256.digest(of: Array("paint \(index)".utf8)))
        }
    }

    @Test("A server that has stopped has no work left, not even of a client that left before")
    func stopping() throws {
        for round in 1...30 {
            let machine = try Machine()
            defer { machine.close() }
            let server = try machine.server()
            let client = machine.client()
            let engine = machine.engine(asking: client)
            let source = try machine.source("hang")
            let recipe = small
            let asker = try WorkerThread(name: "asker") {
                _ = try? engine.thumbnails(of: source, order: Order(recipes: [recipe]))
            }
            #expect(eventually { machine.runningCount == 1 })
            client.cancelAll()
            asker.join()
            // Each round finds the server a little further with noticing that.
            for _ in 0..<(round * 3) { sched_yield() }
            server.stop()
            #expect(machine.served.count == 1)
            #expect(machine.runningCount == 0)
        }
    }

    @Test("A client that leaves ends the work, and the child with it")
    func cancelled() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        defer { server.stop() }
        let client = machine.client()
        let engine = machine.engine(asking: client)
        let source = try machine.source("sleep 60000")
        let recipe = small
        let result = Promise<Result<Thumbnails, Failure>>()
        _ = try WorkerThread(name: "asker") {
            result.fulfil(
                Result { () throws(Failure) in try engine.thumbnails(of: source, order: Order(recipes: [recipe])) })
        }
        #expect(eventually { machine.runningCount == 1 })
        #expect(result.current == nil)
        let start = Time.monotonic
        client.cancelAll()
        #expect(throws: Failure(.cancelled)) { try result.value().get() }
        #expect(eventually { machine.served.count == 1 })
        #expect(Time.monotonic - start < .seconds(20), "the child slept for 60 s")
        guard case .failed(let failure) = machine.served[0].outcome else {
            Issue.record("it was cancelled")
            return
        }
        #expect(failure.code == .cancelled)
        // The engine behind the socket goes on serving.
        let next = try machine.engine(asking: machine.client())
            .thumbnails(of: try machine.source("paint"), order: Order(recipes: [small]))
        #expect(next.isWarm)
    }
}
