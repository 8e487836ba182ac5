import CLinux
import Linux
import Media
import SourceFiles
import TestDeadline
import TestSupport
import Testing
import Thumbnailer

@Suite("A server treats messages as hostile input", .deadline)
struct HostileClientTests {
    private let order = Order(recipes: [Recipe(box: Box(width: 8, height: 8)!, fit: .inside)])

    private func serves(_ machine: Machine) throws -> Bool {
        try machine.engine(asking: machine.client())
            .thumbnails(of: try machine.source("paint \(UInt32.random(in: 0...(.max)))"), order: order).isWarm
    }

    /// Whether the server closes the connection within some seconds, without an answer.
    private func isClosed(_ socket: MessageSocket) throws -> Bool {
        guard try socket.waitForMessage(until: Time.monotonic + .seconds(5)) else { return false }
        do throws(SystemError) {
            return try socket.receive(limit: 100, waits: false) == nil
        } catch {
            return error.number == ECONNRESET
        }
    }

    @Test("Nonsense, silence and requests without a source end the connection, and the next is served")
    func nonsense() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        defer { server.stop() }
        let place = try LocalSocket(path: machine.socketPath)
        let source = try machine.source("paint")
        for bytes in [[], [0], [1, 2, 3], [UInt8](repeating: 255, count: 30_000)] {
            let socket = try place.connect()
            if !bytes.isEmpty { try socket.send(bytes, descriptors: [source.descriptor.number]) }
            #expect(try isClosed(socket), "\(bytes.count) bytes")
        }
        let tooLong = try place.connect()
        try tooLong.send([UInt8](repeating: 1, count: 60_000))
        #expect(try isClosed(tooLong))
        #expect(try serves(machine))
        #expect(eventually { machine.served.count == 1 })
    }

    @Test("Two hundred silent connections keep no client out for longer than two seconds")
    func flood() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        defer { server.stop() }
        let place = try LocalSocket(path: machine.socketPath)
        var silent: [MessageSocket] = []
        for _ in 0..<200 {
            if let socket = try? place.connect() { silent.append(socket) }
        }
        #expect(silent.count >= WarmServer.mostRequests)
        #expect(eventually { (try? serves(machine)) == true })
        withExtendedLifetime(silent) {}
    }

    @Test("Descriptors that come with nonsense are closed")
    func descriptors() throws {
        let machine = try Machine()
        defer { machine.close() }
        let server = try machine.server()
        defer { server.stop() }
        let place = try LocalSocket(path: machine.socketPath)
        // The far end of `kept` hears when the last copy of the other is closed.
        let kept = try sentEnd(over: try place.connect())
        #expect(try isClosed(kept))
        #expect(try serves(machine))
    }

    /// Sends one end of a pair with nonsense, drops it here, and returns the other.
    private func sentEnd(over socket: MessageSocket) throws -> MessageSocket {
        let (ours, theirs) = try MessageSocket.pair()
        try socket.send([1, 2, 3], descriptors: [theirs.descriptor.number, theirs.descriptor.number])
        #expect(try isClosed(socket))
        return ours
    }

    @Test("A folder or a device in place of a source is refused", arguments: ["folder", "device"])
    func oddSources(what: String) throws {
        let machine = try Machine()
        defer { machine.close() }
        let odd = try Descriptor.open(what == "folder" ? machine.folder : "/dev/null", O_RDONLY)
        #expect(throws: Failure.self) { try SourceFile.opened(odd, name: "odd") }
    }
}
