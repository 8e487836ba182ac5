internal import Linux
internal import NIOCore
internal import Synchronization

/// All open connections of a service.
final class Connections: Sendable {
    let limits: ConnectionLimits
    let metrics: HTTPMetrics
    private let open = Mutex<[ObjectIdentifier: Connection]>([:])
    private let stopping = Atomic(false)

    init(_ limits: ConnectionLimits, _ metrics: HTTPMetrics) {
        self.limits = limits
        self.metrics = metrics
    }

    /// Whether answers end their connections because the service ends.
    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func beginStopping() { stopping.store(true, ordering: .relaxed) }

    var count: Int { open.withLock { $0.count } }

    /// NIO accepts up to four connections at once, so it stops at this lower number.
    var acceptedCount: Int { max(1, limits.connectionCount - 3) }

    subscript(channel: any Channel) -> Connection? { open.withLock { $0[ObjectIdentifier(channel)] } }

    func add(_ connection: Connection) { open.withLock { $0[ObjectIdentifier(connection.channel)] = connection } }

    func remove(_ connection: Connection) {
        open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection.channel)) }
        connection.end()
    }

    /// Closes all connections, including requests in progress.
    func closeAll() {
        for connection in open.withLock({ Array($0.values) }) { connection.channel.close(promise: nil) }
    }
}
