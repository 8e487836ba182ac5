internal import Linux
internal import Synchronization

/// Locks by name between the processes of several hosts: advisory locks on one connection a process.
///
/// The server gives them back when the connection ends, in whatever way. A process that loses its connection takes its locks again with
/// the next call, as far as nobody else has them by then.
public final class NamedLocks: Sendable {
    private let address: Address
    private let state = Mutex(State())

    private struct State {
        var connection: ServerConnection?
        var held: Set<String> = []
    }

    /// Locks on a server to which nothing is connected yet.
    public init(_ address: Address) { self.address = address }

    /// A lock that is held as long as this object lives.
    public final class Lock: Sendable {
        private let name: String
        private let locks: NamedLocks

        fileprivate init(_ name: String, _ locks: NamedLocks) {
            self.name = name
            self.locks = locks
        }

        deinit { locks.release(name) }
    }

    /// Takes a lock without waiting for its holder.
    ///
    /// - Returns: `nil` where somebody has it, in this process or another.
    public func take(_ name: String) throws(PostgreSQLError) -> Lock? {
        let taken: Result<Bool, PostgreSQLError> = state.withLock { state in
            if state.held.contains(name) { return .success(false) }
            do throws(PostgreSQLError) {
                let connection = try connected(&state)
                let isTaken = try Self.ask("SELECT pg_try_advisory_lock(hashtextextended(?, 0))", name, connection)
                if isTaken { state.held.insert(name) }
                return .success(isTaken)
            } catch {
                state.connection = nil
                return .failure(error)
            }
        }
        return try taken.get() ? Lock(name, self) : nil
    }

    private func connected(_ state: inout State) throws(PostgreSQLError) -> ServerConnection {
        if let connection = state.connection, !connection.isBroken { return connection }
        let connection = try ServerConnection(address)
        for name in state.held {
            _ = try Self.ask("SELECT pg_try_advisory_lock(hashtextextended(?, 0))", name, connection)
        }
        state.connection = connection
        return connection
    }

    private func release(_ name: String) {
        state.withLock { state in
            state.held.remove(name)
            guard let connection = state.connection else { return }
            do throws(PostgreSQLError) {
                _ = try Self.ask("SELECT pg_advisory_unlock(hashtextextended(?, 0))", name, connection)
            } catch {
                // The server gives the lock back with the connection.
                state.connection = nil
            }
        }
    }

    private static func ask(
        _ sql: String, _ name: String, _ connection: ServerConnection
    ) throws(PostgreSQLError) -> Bool {
        try connection.send(sql, [name])
        let answer = try connection.receive()
        return answer.rowCount > 0 && answer.row(0).integer(0) == 1
    }
}
