import CLinux
import Linux
import Media
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache
import Thumbnailer

@Suite("Whatever is wrong with the other process, this one makes the renditions", .deadline)
struct AloneTests {
    private let order = Order(recipes: [Recipe(box: Box(width: 8, height: 8)!, fit: .inside)])

    /// Makes a rendition with a client and says what it explained; it must have been made without the other side.
    private func explanation(_ machine: Machine, _ engine: Thumbnailer) throws -> String {
        let made = try engine.thumbnails(of: try machine.source("paint"), order: order)
        #expect(!made.isWarm)
        #expect(try made.results[0].get().rendition.width == 8)
        return machine.explanations.last ?? ""
    }

    @Test("No process listens")
    func nobody() throws {
        let machine = try Machine()
        defer { machine.close() }
        #expect(try explanation(machine, machine.engine(asking: machine.client())).contains("nothing listens"))
    }

    @Test("A socket was left behind by a listener that died")
    func leftBehind() throws {
        let machine = try Machine()
        defer { machine.close() }
        try leaveName(at: machine.socketPath)
        rename(machine.socketPath + "-kept", machine.socketPath)
        #expect(access(machine.socketPath, F_OK) == 0)
        #expect(try explanation(machine, machine.engine(asking: machine.client())).contains("nothing listens"))
        // And the next listener takes its place.
        let server = try machine.server()
        defer { server.stop() }
        let made = try machine.engine(asking: machine.client())
            .thumbnails(of: try machine.source("paint 2"), order: order)
        #expect(made.isWarm)
    }

    /// A socket whose listener is gone, as after a kill.
    private func leaveName(at path: String) throws {
        let listener = try LocalSocket(path: path, makesFolder: true).listen()
        rename(path, path + "-kept")
        withExtendedLifetime(listener) {}
    }

    @Test("The other process has other limits, another cache, another build, or does not require the sandbox")
    func otherTerms() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        defer { server.stop() }
        var limits = Limits()
        limits.wallTime = .milliseconds(19_500)
        #expect(
            try explanation(machine, machine.engine(limits: limits, asking: machine.client())).contains("other limits"))
        let upgraded = machine.engine(programs: machine.otherPrograms(), asking: machine.client())
        #expect(try explanation(machine, upgraded).contains("another build"))
        let other = FolderCache(path: "\(machine.folder)/other")
        try other.makeFolder()
        #expect(
            try explanation(machine, machine.engine(cache: other, asking: machine.client())).contains("another cache"))
        #expect(eventually { machine.served.count == 3 })
        for request in machine.served {
            guard case .refused = request.outcome else {
                Issue.record("\(request)")
                continue
            }
        }
    }

    @Test("A host that requires the sandbox serves one that does not, and not the other way round")
    func sandboxes() throws {
        let machine = try Machine()
        defer { machine.close() }
        let lax = try machine.server()
        let strict = machine.engine(requiresSandbox: true, asking: machine.client())
        let source = try machine.source("paint")
        // Where this machine lacks a layer the strict one then fails alone; what counts is who was asked.
        _ = try? strict.thumbnails(of: source, order: order)
        #expect(machine.explanations.last?.contains("does not require") == true)
        lax.stop()
    }

    @Test("The other process hangs before its first answer, which costs a quarter of a second once")
    func hung() throws {
        let machine = try Machine()
        defer { machine.close() }
        // It listens and never accepts.
        let listener = try LocalSocket(path: machine.socketPath, makesFolder: true).listen()
        defer { withExtendedLifetime(listener) {} }
        let engine = machine.engine(asking: machine.client(patience: WarmClient.standardPatience))
        let start = Time.monotonic
        #expect(try explanation(machine, engine).contains("in time"))
        #expect(Time.monotonic - start >= WarmClient.standardPatience)
        let second = try engine.thumbnails(of: try machine.source("paint 2"), order: order)
        #expect(!second.isWarm)
        #expect(machine.explanations.last?.contains("as before") == true)
    }

    @Test(
        "The other process sends nonsense, or leaves in the middle",
        arguments: ["nonsense", "leave", "accept and leave"])
    func nonsense(manner: String) throws {
        let machine = try Machine()
        defer { machine.close() }
        let listener = try LocalSocket(path: machine.socketPath, makesFolder: true).listen()
        let thread = try WorkerThread(name: "odd") {
            var socket: MessageSocket?
            while socket == nil { socket = try? listener.accept() }
            _ = try? socket!.waitForMessage(until: Time.monotonic + .seconds(5))
            switch manner {
            case "nonsense": try? socket!.send([1, 2, 3])
            // The first byte is the protocol's version, the second says that it is accepted.
            case "accept and leave": try? socket!.send([1, 0])
            default: break
            }
        }
        #expect(try explanation(machine, machine.engine(asking: machine.client())).contains("without a running thumbd"))
        thread.join()
    }

    @Test("Others may enter the socket's folder")
    func openFolder() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        defer { server.stop() }
        chmod("\(machine.folder)/run", 0o755)
        #expect(try explanation(machine, machine.engine(asking: machine.client())).contains("others may enter"))
        #expect(machine.served.isEmpty)
        #expect(throws: Failure.self) { try WarmServer(engine: machine.engine(), socket: machine.socketPath) }
    }

    @Test("The other process stops, and this one makes the renditions that were begun")
    func stopped() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        let engine = machine.engine(asking: machine.client())
        let source = try machine.source("sleep 1500")
        let order = order
        let result = Promise<Result<Thumbnails, Failure>>()
        _ = try WorkerThread(name: "asker") {
            result.fulfil(Result { () throws(Failure) in try engine.thumbnails(of: source, order: order) })
        }
        #expect(eventually { machine.runningCount == 1 })
        #expect(result.current == nil)
        server.stop()
        let made = try result.value().get()
        #expect(!made.isWarm)
        #expect(try made.results[0].get().rendition.width == 8)
    }

    @Test("The other process stops with patience, and finishes the renditions that were begun")
    func drained() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        let engine = machine.engine(asking: machine.client())
        let source = try machine.source("sleep 700")
        let order = order
        let result = Promise<Result<Thumbnails, Failure>>()
        _ = try WorkerThread(name: "asker") {
            result.fulfil(Result { () throws(Failure) in try engine.thumbnails(of: source, order: order) })
        }
        #expect(eventually { machine.runningCount == 1 })
        #expect(result.current == nil)
        server.stop(finishingWithin: .seconds(60))
        #expect(try result.value().get().isWarm)
        #expect(access(machine.socketPath, F_OK) != 0, "the socket's name is gone")
    }

    @Test("A second server at the same place fails with that reason, and the first goes on")
    func twoServers() throws {
        let machine = try Machine()
        defer { machine.close() }
        let first = try machine.server()
        defer { first.stop() }
        #expect(throws: Failure.self) { try machine.server() }
        let made = try machine.engine(asking: machine.client())
            .thumbnails(of: try machine.source("paint"), order: order)
        #expect(made.isWarm)
    }
}
