internal import Linux
internal import Synchronization

/// Locks by name between the processes of several hosts: advisory locks on one connection a process.
///
/// The server gives them back when the connection ends, in whatever way; from then on nobody of this process holds one (`Lock.isHeld`).
/// The next call takes their names again on a new connection, as far as nobody else has them by then: so that others stay out until the
/// former holders have noticed, and let go.
///
/// A pooler that lends one session of the server to several clients in turn is refused: their locks would be one and the same.
public final class NamedLocks: Sendable {
    private let address: Address
    private let silenceLimit: Duration
    /// What tells the sessions of this process from those of others.
    private let identity = UInt64.random(in: 0...(.max))
    private let state = Mutex(State())

    private struct State {
        var connection: ServerConnection?
        /// The number of the connection.
        var generation = 0
        /// The names that others are kept from, as bytes, each with the number of its lock.
        var held: [[UInt8]: Int] = [:]
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
                // The server gives the lock back with the connection.
                state.connection = nil
            }
        }
    }

    private static let taking = "pg_try_advisory_lock(hashtextextended(?2, 0))"
    private static let releasing = "pg_advisory_unlock(hashtextextended(?2, 0))"

    /// Asks for a truth in the session that the connection began with; its values begin with `?2`.
    private func ask(
        _ truth: String, _ values: [String], _ connection: ServerConnection, _ generation: Int
    ) throws(PostgreSQLError) -> Bool {
        // Where the session is another one, nothing is taken there.
        try connection.send(
            "SELECT CASE WHEN current_setting('compass.session', TRUE) = ?1 THEN \(truth) END",
            [mark(of: generation)] + values)
        let answer = try connection.receive()
        // A former primary gives locks that others do not know of.
        if connection.isDemoted { throw .disconnected(message: "the server no longer accepts changes") }
        guard answer.rowCount > 0, let number = answer.row(0).integer(0) else { throw pooled(connection) }
        return number == 1
    }

    // MARK: Sessions behind a pooler

    private func mark(of generation: Int) -> String { "\(identity) \(generation)" }

    /// Marks the session of a new connection, and looks whether a pooler gives it to others meanwhile.
    private func markSession(_ connection: ServerConnection, _ generation: Int) throws(PostgreSQLError) {
        try connection.send(
            "SELECT pg_backend_pid(), set_config('compass.session', ?, FALSE)", [mark(of: generation)])
        // A pooler gives each client a number of its own.
        if try connection.receive().row(0).integer(0) == Int64(connection.serverProcess) { return }
        // The transaction of another client takes the session that is free, and this one has another one then.
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
