internal import Linux
internal import Synchronization

/// Named locks between processes on several hosts: advisory locks on one connection per process.
///
/// The server releases them when the connection ends, for whatever reason. From then on, this process holds none of
/// them (`Lock.isHeld`). The next call takes their names again on a new connection, unless another process has taken
/// them by then. So others stay out until the former holders have noticed and released them.
///
/// A pooler that lends one server session to several clients in turn is refused, because the clients would share their
/// locks.
public final class NamedLocks: Sendable {
    private let address: Address
    private let silenceLimit: Duration
    /// Distinguishes the sessions of this process from the sessions of others.
    private let identity = UInt64.random(in: 0...(.max))
    private let state = Mutex(State())

    private struct State {
        var connection: ServerConnection?
        /// The number of the connection.
        var generation = 0
        /// The names that others cannot take, as bytes, each with the number of its lock.
        var held: [[UInt8]: Int] = [:]
        /// The number of locks taken so far.
        var takenCount = 0
    }

    /// Locks on a server, without a connection yet.
    ///
    /// - Parameter silenceLimit: how long the server may be silent while an answer is due. After that, the connection
    ///   counts as broken.
    public init(_ address: Address, silenceLimit: Duration = .seconds(10)) {
        self.address = address
        self.silenceLimit = silenceLimit
    }

    /// A lock that nobody else can take while this object and its connection exist.
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

        /// Whether nobody else can have held the lock since it was taken. Asks the server.
        ///
        /// Once `false`, it stays `false`: after its connection ended, another holder may have taken and released the
        /// lock.
        public var isHeld: Bool { locks.isHeld(self) }
    }

    /// Takes a lock without waiting for its holder.
    ///
    /// - Returns: `nil` if this process or another one holds it.
    public func take(_ name: String) throws(PostgreSQLError) -> Lock? {
        let taken: Result<Lock?, PostgreSQLError> = state.withLock { state in
            do throws(PostgreSQLError) {
                return .success(try take(name, &state))
            } catch {
                // A connection that ended since the last call is noticed only here; the retry opens a new one.
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
        if state.held[Array(name.utf8)] != nil { return nil }
        guard try ask(Self.taking, [name], connection, state.generation) else { return nil }
        state.takenCount += 1
        state.held[Array(name.utf8)] = state.takenCount
        return Lock(name, state.takenCount, state.generation, self)
    }

    private func connected(_ state: inout State) throws(PostgreSQLError) -> ServerConnection {
        if let connection = state.connection, !connection.isBroken { return connection }
        state.connection = nil
        let connection = try ServerConnection(address, patience: silenceLimit)
        state.generation += 1
        try markSession(connection, state.generation)
        for bytes in state.held.keys {
            let name = String(decoding: bytes, as: UTF8.self)
            if try !ask(Self.taking, [name], connection, state.generation) { state.held[bytes] = nil }
        }
        state.connection = connection
        return connection
    }

    private func isHeld(_ lock: Lock) -> Bool {
        state.withLock { state in
            guard lock.generation == state.generation, let connection = state.connection else { return false }
            do throws(PostgreSQLError) {
                return try ask("TRUE", [], connection, state.generation)
            } catch {
                state.connection = nil
                return false
            }
        }
    }

    private func release(_ lock: Lock) {
        state.withLock { state in
            let bytes = Array(lock.name.utf8)
            guard state.held[bytes] == lock.number else { return }
            state.held[bytes] = nil
            guard let connection = state.connection else { return }
            do throws(PostgreSQLError) {
                _ = try ask(Self.releasing, [lock.name], connection, state.generation)
            } catch {
                // The server releases the lock together with the connection.
                state.connection = nil
            }
        }
    }

    private static let taking = "pg_try_advisory_lock(hashtextextended(?2, 0))"
    private static let releasing = "pg_advisory_unlock(hashtextextended(?2, 0))"

    /// Evaluates a condition in the session that the connection began with; its values begin with `?2`.
    private func ask(
        _ truth: String, _ values: [String], _ connection: ServerConnection, _ generation: Int
    ) throws(PostgreSQLError) -> Bool {
        // In any other session, this takes nothing.
        try connection.send(
            "SELECT CASE WHEN current_setting('compass.session', TRUE) = ?1 THEN \(truth) END",
            [mark(of: generation)] + values)
        let answer = try connection.receive()
        // A former primary grants locks that others do not see.
        if connection.isDemoted { throw .disconnected(message: "the server no longer accepts changes") }
        guard answer.rowCount > 0, let number = answer.row(0).integer(0) else { throw pooled(connection) }
        return number == 1
    }

    // MARK: Sessions behind a pooler

    private func mark(of generation: Int) -> String { "\(identity) \(generation)" }

    /// Marks the session of a new connection, and checks whether a pooler gives it to others meanwhile.
    private func markSession(_ connection: ServerConnection, _ generation: Int) throws(PostgreSQLError) {
        try connection.send(
            "SELECT pg_backend_pid(), set_config('compass.session', ?, FALSE)", [mark(of: generation)])
        // A pooler gives each client its own process number.
        if try connection.receive().row(0).integer(0) == Int64(connection.serverProcess) { return }
        // Another client's transaction takes the free session, and this connection then gets a different one.
        let other = try ServerConnection(address, patience: silenceLimit)
        defer { withExtendedLifetime(other) {} }
        try other.send("BEGIN")
        _ = try other.receive()
        _ = try ask("TRUE", [], connection, generation)
    }

    private func pooled(_ connection: ServerConnection) -> PostgreSQLError {
        connection.abandon()
        return .address(
            message: """
                it goes through a pooler that does not keep sessions, which upload locks need: set pool_mode = session \
                there, or use the server's own address
                """)
    }
}
