internal import CLinux
internal import Linux
internal import Media
internal import RenderHost
internal import Synchronization
internal import Wire

/// A server's connections, from the first message to the last.
final class WarmConnections: Sendable {
    private unowned let server: WarmServer
    private let state = Mutex(State())

    private struct State {
        /// Connections that may still deliver a message, or close.
        var connections: [ObjectIdentifier: WarmConnection] = [:]
        /// Connections with work, until the work ends: the client may leave earlier.
        var working: [ObjectIdentifier: WarmConnection] = [:]
    }

    init(server: WarmServer) { self.server = server }

    /// The clients that have not left yet.
    var open: [WarmConnection] { state.withLock { Array($0.connections.values) } }

    /// The number of requests in progress.
    var runningCount: Int { state.withLock { $0.working.count } }

    func add(_ socket: MessageSocket) {
        // Room for twice the number of requests that may be in progress, so that an excess request gets an answer.
        // Further clients find the connection closed, and work alone.
        guard open.count < 2 * server.requestLimit else { return }
        let connection = WarmConnection(socket)
        state.withLock { $0.connections[ObjectIdentifier(connection)] = connection }
    }

    /// Receives a connection's request, or its end.
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

    /// Closes connections that sent no request in time.
    func dropSilent() {
        for connection in open where !connection.isAtWork && connection.age > Self.patience { drop(connection) }
    }

    /// A request follows its connection at once.
    private static let patience: Duration = .seconds(1)

    /// Ends all connections; those with work may finish within `patience`.
    func close(finishingWithin patience: Duration) {
        let deadline = Time.monotonic + patience
        for connection in open where !connection.isAtWork { drop(connection) }
        while !open.isEmpty, Time.monotonic < deadline { Time.sleep(.milliseconds(2)) }
        for connection in open { drop(connection) }
        // No thread uses the engine after this, not even for a client that has left.
        for connection in state.withLock({ Array($0.working.values) }) { connection.waitForEnd() }
    }

    private func refuse(_ connection: WarmConnection, _ name: String, _ reason: String) {
        connection.send(.refused(reason))
        server.served(.init(name: name, outcome: .refused(reason), duration: connection.age))
        drop(connection)
    }

    /// Answers `unavailable`, after which the client asks again later; a refused client never does.
    private func turnAway(_ connection: WarmConnection, _ name: String) {
        connection.send(.failed(Failure(.unavailable, message: "Too many files are in progress. Try again later.")))
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

    /// Ends a connection and cancels its work.
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
