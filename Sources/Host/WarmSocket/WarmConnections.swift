internal import CLinux
internal import Linux
internal import Media
internal import RenderHost
internal import Synchronization
internal import Thumbnailer
internal import Wire

/// A server's connections, from the first word to the last.
final class WarmConnections: Sendable {
    private unowned let server: WarmServer
    private let state = Mutex(State())

    private struct State {
        /// Those whose other end may still say something, or leave.
        var connections: [ObjectIdentifier: WarmConnection] = [:]
        /// Those with work, until its very end: whoever asked for it may have left before.
        var working: [ObjectIdentifier: WarmConnection] = [:]
    }

    init(server: WarmServer) { self.server = server }

    /// Those that are open.
    var open: [WarmConnection] { state.withLock { Array($0.connections.values) } }

    /// How many requests are in work.
    var runningCount: Int { state.withLock { $0.working.count } }

    func add(_ socket: MessageSocket) {
        // Room for as many again as may be at work, so that the one too many is heard and told so. Beyond that whoever
        // connects finds the connection closed, and works alone.
        guard open.count < 2 * server.requestLimit else { return }
        let connection = WarmConnection(socket)
        state.withLock { $0.connections[ObjectIdentifier(connection)] = connection }
    }

    /// Whatever a connection has to say: its request, or that it is over.
    func hear(_ connection: WarmConnection) {
        guard !connection.isAtWork,
            let message = try? connection.socket.receive(limit: Wire.longestMessage, waits: false)
        else { return drop(connection) }
        guard let request = try? WarmRequest(parsing: message.bytes), message.descriptors.count == 1 else {
            return drop(connection)
        }
        let name = Failure.bounded(request.name, to: WarmRequest.longestName)
        guard let terms = WarmTerms(of: server.engine) else {
            return refuse(connection, name, "it has no cache")
        }
        if let reason = terms.refusal(of: request.terms) { return refuse(connection, name, reason) }
        guard runningCount < server.requestLimit else { return turnAway(connection, name) }
        begin(request, message.descriptors[0], named: name, for: connection)
    }

    /// Closes those that have not said anything for too long.
    func dropSilent() {
        for connection in open where !connection.isAtWork && connection.age > Self.patience { drop(connection) }
    }

    /// A request follows its connection at once.
    private static let patience: Duration = .seconds(1)

    /// Ends all: those at work may finish within `patience`.
    func close(finishingWithin patience: Duration) {
        let deadline = Time.monotonic + patience
        for connection in open where !connection.isAtWork { drop(connection) }
        while !open.isEmpty, Time.monotonic < deadline { Time.sleep(.milliseconds(2)) }
        for connection in open { drop(connection) }
        // The engine is the caller's again when no thread uses it, not even for somebody who has left.
        for connection in state.withLock({ Array($0.working.values) }) { connection.waitForEnd() }
    }

    private func refuse(_ connection: WarmConnection, _ name: String, _ reason: String) {
        connection.send(.refused(reason))
        server.served(.init(name: name, outcome: .refused(reason), duration: connection.age))
        drop(connection)
    }

    /// A sender that is refused asks no more; one that hears of something unavailable asks again later.
    private func turnAway(_ connection: WarmConnection, _ name: String) {
        connection.send(.failed(Failure(.unavailable, message: "Too many files are in work. Try again later.")))
        server.served(.init(name: name, outcome: .busy, duration: connection.age))
        drop(connection)
    }

    private func begin(
        _ request: WarmRequest, _ descriptor: Descriptor, named name: String, for connection: WarmConnection
    ) {
        connection.begin()
        state.withLock { $0.working[ObjectIdentifier(connection)] = connection }
        connection.send(.accepted)
        do throws(SystemError) {
            let (engine, served) = (server.engine, server.served)
            _ = try WorkerThread(name: "warm-job") { [self] in
                let outcome = WarmJob(request: request, descriptor: descriptor, connection: connection).run(engine)
                served(.init(name: name, outcome: outcome, duration: connection.age))
                forget(connection)
                end(connection)
            }
        } catch {
            let failure = Failure(.unavailable, detail: "\(error)")
            connection.send(.failed(failure))
            server.served(.init(name: name, outcome: .failed(failure), duration: connection.age))
            end(connection)
            drop(connection)
        }
    }

    /// Nobody wants what the connection asked for.
    private func drop(_ connection: WarmConnection) {
        forget(connection)
        connection.cancellation.cancel()
    }

    private func end(_ connection: WarmConnection) {
        state.withLock { state in _ = state.working.removeValue(forKey: ObjectIdentifier(connection)) }
        connection.end()
    }

    private func forget(_ connection: WarmConnection) {
        state.withLock { state in _ = state.connections.removeValue(forKey: ObjectIdentifier(connection)) }
    }
}
