internal import Linux
internal import Synchronization

/// Locks by name between the processes of several hosts: advisory locks on one connection a process.
///
/// The server gives them back when the connection ends, in whatever way; from then on nobody of this process holds one (`Lock.isHeld`).
/// The next call takes their names again on a new connection, as far as nobody else has them by then: so that others stay out until the
/// former holders have noticed, and let go.
public final class NamedLocks: Sendable {
    private let address: Address
    private let silenceLimit: Duration
    private let state = Mutex(State())

    private struct State {
        var connection: ServerConnection?
        /// The number of the connection.
        var generation = 0
        /// The names that others are kept from, each with the number of its lock.
        var held: [String: Int] = [:]
        /// How many locks were taken so far.
        var takenCount = 0
    }

    /// Locks on a server to which nothing is connected yet.
    ///
    /// - Parameter silenceLimit: how long the server may be silent while an answer is due; then the connection counts as broken.
    public init(_ address: Address, silenceLimit: Duration = .seconds(10)) {
        self.address = address
        self.silenceLimit = silenceLimit
    }

    /// A lock that nobody else can take as long as this object lives, and its connection.
    public final class Lock: Sendable {
        fileprivate let name: String
        fileprivate let number: Int
        fileprivate let generation: Int
        private let locks: NamedLocks

        fileprivate init(_ name: String, _ number: Int, _ generation: Int, _ locks: NamedLocks) {
            self.name = name
            self.number = number
            self.generation = generation
            self.locks = locks
        }

        deinit { locks.release(self) }

        /// Whether nobody else can have had it since it was taken. Asks the server.
        ///
        /// Once `false`, it stays so: after its connection ended another one may have had it, and let go.
        public var isHeld: Bool { locks.isHeld(self) }
    }

    /// Takes a lock without waiting for its holder.
    ///
    /// - Returns: `nil` where somebody has it, in this process or another.
    public func take(_ name: String) throws(PostgreSQLError) -> Lock? {
        let taken: Result<Lock?, PostgreSQLError> = state.withLock { state in
            do throws(PostgreSQLError) {
                return .success(try take(name, &state))
            } catch {
                // A connection that ended since the last call shows only here; the next one is new.
                guard error.endsConnection, state.connection != nil else { return .failure(error) }
                state.connection = nil
            }
            do throws(PostgreSQLError) {
                return .success(try take(name, &state))
            } catch {
                if error.endsConnection { state.connection = nil }
                return .failure(error)
            }
        }
        return try taken.get()
    }

    private func take(_ name: String, _ state: inout State) throws(PostgreSQLError) -> Lock? {
        let connection = try connected(&state)
        if state.held[name] != nil { return nil }
        guard try Self.ask(Self.taking, [name], connection) else { return nil }
        state.takenCount += 1
        state.held[name] = state.takenCount
        return Lock(name, state.takenCount, state.generation, self)
    }

    private func connected(_ state: inout State) throws(PostgreSQLError) -> ServerConnection {
        if let connection = state.connection, !connection.isBroken { return connection }
        state.connection = nil
        let connection = try ServerConnection(address, patience: silenceLimit)
        for name in state.held.keys where try !Self.ask(Self.taking, [name], connection) { state.held[name] = nil }
        state.connection = connection
        state.generation += 1
        return connection
    }

    private func isHeld(_ lock: Lock) -> Bool {
        state.withLock { state in
            guard lock.generation == state.generation, let connection = state.connection else { return false }
            do throws(PostgreSQLError) {
                _ = try Self.ask("SELECT 1", [], connection)
                return true
            } catch {
                state.connection = nil
                return false
            }
        }
    }

    private func release(_ lock: Lock) {
        state.withLock { state in
            guard state.held[lock.name] == lock.number else { return }
            state.held[lock.name] = nil
            guard let connection = state.connection else { return }
            do throws(PostgreSQLError) {
                _ = try Self.ask("SELECT pg_advisory_unlock(hashtextextended(?, 0))", [lock.name], connection)
            } catch {
                // The server gives the lock back with the connection.
                state.connection = nil
            }
        }
    }

    private static let taking = "SELECT pg_try_advisory_lock(hashtextextended(?, 0))"

    private static func ask(
        _ sql: String, _ values: [String], _ connection: ServerConnection
    ) throws(PostgreSQLError) -> Bool {
        try connection.send(sql, values)
        let answer = try connection.receive()
        // A former primary gives locks that others do not know of.
        if connection.isDemoted { throw .disconnected(message: "the server takes no changes any more") }
        return answer.rowCount > 0 && answer.row(0).integer(0) == 1
    }
}
