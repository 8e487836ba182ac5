internal import Linux
internal import Synchronization

/// A PostgreSQL server for threads that may block: transactions on a bounded number of connections.
public final class PostgreSQLDatabase: SQLDatabase {
    /// The server's address.
    public let address: Address
    /// The server's clock.
    let clock = ServerClock()
    /// Signals between processes; it connects on demand.
    let notifier: LazyNotifier
    private let limit: Int
    private let silenceLimit: Duration
    private let state = Mutex(State())

    private struct State {
        var idle: [ServerConnection] = []
        var openCount = 0
        /// The threads that wait for a connection, in order of arrival. While any thread waits, no connection is idle,
        /// and no further one may be opened.
        var waiting: [Promise<Turn>] = []
    }

    /// What a thread that needs a connection receives.
    private enum Turn {
        case idle(ServerConnection)
        /// The thread opens a connection, which is already counted.
        case open
    }

    /// A database without a connection yet.
    ///
    /// - Parameters:
    ///   - connectionLimit: the maximum number of connections; further threads wait.
    ///   - silenceLimit: how long the server may be silent while an answer is due, and a little more if several are
    ///     due. After that, the connection counts as broken. The server itself ends a statement after 30 s.
    public init(_ address: Address, connectionLimit: Int = 8, silenceLimit: Duration = .seconds(35)) {
        self.address = address
        notifier = LazyNotifier(address)
        self.silenceLimit = silenceLimit
        limit = connectionLimit
    }

    /// Runs `body` in a transaction. A crash of the server may undo the `fast` transactions of the last half second,
    /// the latest ones first (`synchronous_commit = off`).
    ///
    /// `body` runs again if the transaction lost to another one, or if the connection turned out to be dead before the
    /// commit was sent. So it must change nothing but the database.
    /// - Throws: what `body` throws, or `PostgreSQLError`. After `disconnected`, a durable change may have been
    ///   committed.
    public func transaction<Answer>(
        _ mode: SQLTransaction.Kind, _ body: (PostgreSQLSession) throws -> Answer
    ) throws -> Answer {
        try retrying { try once(mode, body) }
    }

    private func retrying<Answer>(_ body: () throws -> Answer) throws -> Answer {
        var tries = 0
        let end = Time.monotonic + Self.retrySpan
        while true {
            tries += 1
            do {
                return try body()
            } catch let error as RetryableLoss {
                guard tries < Self.tryLimit, Time.monotonic < end else { throw error.cause }
                // If several transactions lost to each other, they must not collide again.
                Time.sleep(.microseconds(Int64.random(in: 0..<(2000 << tries))))
            }
        }
    }

    /// Runs `body` in a transaction exactly once, so it may have other effects.
    public func transactionOnce<Answer>(
        _ mode: SQLTransaction.Kind, _ body: (PostgreSQLSession) throws -> Answer
    ) throws -> Answer {
        do {
            return try once(mode, body)
        } catch let error as RetryableLoss {
            throw error.cause
        }
    }

    /// Waits for a lock no longer than any transaction does, because others wait behind it meanwhile. After that, it
    /// lets them pass, and `body` runs again after a pause. So `body` must change nothing but the database.
    public func migration<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        var pauses = Self.migrationPauses[...]
        while true {
            do {
                return try retrying {
                    try once(.durable, hasTime: true) { session in
                        try session.execute("SELECT pg_advisory_xact_lock(\(Self.migrationLock))")
                        return try body(session)
                    }
                }
            } catch let error as PostgreSQLError {
                guard error.isLockTimeout, let pause = pauses.popFirst() else { throw error }
                Time.sleep(pause)
            }
        }
    }

    /// The key of the lock that a migration holds.
    private static let migrationLock = 0x636D_7000
    private static let migrationPauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4)]

    /// Runs `body` in a fast transaction, and again if the answer to its commit was lost. So `body` first looks for
    /// what an earlier run did. Inside a write transaction, it is a part of that transaction.
    ///
    /// A value that is unique in the database prevents that an unfinished run and the next one are both committed.
    public func repeatableTransaction<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        if isInWriteTransaction { return try write([], .fast, body) }
        try refreshClock()
        var hasRun = false
        return try retrying {
            do {
                return try once(.fast, isRepeatable: true) { session in
                    hasRun = true
                    return try body(session)
                }
            } catch let error as PostgreSQLError {
                // A server that has just become unreachable may be reachable again in a moment, and then shows what was
                // done.
                guard hasRun, error.endsConnection else { throw error }
                Time.sleep(Self.reconnectPause)
                throw RetryableLoss(cause: error)
            }
        }
    }

    /// Runs a statement as one fast transaction in one round trip. Inside a write transaction, it is a part of that
    /// transaction.
    ///
    /// It runs again if the connection dies, perhaps after the server has executed it. So it must be idempotent.
    /// - Returns: what `body` makes from the first row; `nil` if there is none.
    public func fastTransaction<Answer>(
        of statement: Statement, _ body: (any SQLRow) throws -> Answer
    ) throws -> Answer? {
        if isInWriteTransaction {
            return try write([], .fast) { session in try session.first(statement.sql, statement.values, body) }
        }
        try refreshClock()
        return try retrying {
            let connection = try acquire()
            defer { release(connection) }
            do {
                // The server treats statements that are sent together as one transaction.
                try connection.send(Self.fastSettings)
                try connection.send(statement.sql, statement.values)
                let answer = try connection.receive()
                return answer.rowCount > 0 ? try body(answer.row(0)) : nil
            } catch let error as PostgreSQLError {
                if isRefusedAsReadOnly(error, .fast, on: connection) || error.isLostRace || error.endsConnection {
                    throw RetryableLoss(cause: error)
                }
                throw error
            }
        }
    }

    /// For `fast`. The plans do not depend on values, so they are made once per connection.
    private static let fastSettings = """
        SELECT set_config('synchronous_commit', 'off', TRUE), set_config('plan_cache_mode', 'force_generic_plan', TRUE)
        """

    /// A statement and its values.
    public struct Statement {
        let sql: String
        let values: [(any SQLConvertible)?]

        /// A statement with `?` (or `?1`, `?2`) for its values.
        public init(_ sql: String, _ values: [(any SQLConvertible)?] = []) {
            self.sql = sql
            self.values = values
        }
    }

    private static let tryLimit = 6
    private static let reconnectPause: Duration = .seconds(1)
    /// No attempt begins later than this. After one server that did not answer, another may; after two, the caller has
    /// waited long enough.
    private static let retrySpan: Duration = .seconds(40)

    /// A transaction that may run again: either it has certainly changed nothing, or it can find what it did.
    private struct RetryableLoss: Error {
        let cause: PostgreSQLError
    }

    /// - Parameters:
    ///   - hasTime: whether statements may take as long as they need.
    ///   - isRepeatable: whether `body` may run again if the answer to the commit was lost.
    private func once<Answer>(
        _ mode: SQLTransaction.Kind, hasTime: Bool = false, isRepeatable: Bool = false,
        _ body: (PostgreSQLSession) throws -> Answer
    ) throws -> Answer {
        let connection = try acquire()
        defer { release(connection) }
        defer { connection.patience = silenceLimit }
        if hasTime { connection.patience = nil }
        var isCommitting = false
        do {
            let session = PostgreSQLSession(connection)
            try begin(mode, on: connection)
            if hasTime { try connection.send("SET LOCAL statement_timeout = 0") }
            let answer = try body(session)
            isCommitting = mode != .reading
            try connection.send("COMMIT")
            // The server answers ROLLBACK if it refused a statement and `body` continued.
            guard try connection.receive().command == "COMMIT" else {
                throw PostgreSQLError.refused(
                    state: "25P02", message: "an earlier statement of the transaction was refused")
            }
            return answer
        } catch {
            guard let error = error as? PostgreSQLError else {
                rollBack(connection)
                throw error
            }
            let isElsewhere = isRefusedAsReadOnly(error, mode, on: connection)
            rollBack(connection)
            let isLost = error.endsConnection && (isRepeatable || !isCommitting)
            if isElsewhere || error.isLostRace || isLost {
                throw RetryableLoss(cause: error)
            }
            throw error
        }
    }

    /// Whether the server refused a change because it no longer accepts any, as a former primary. The next connection
    /// looks for a server that does.
    private func isRefusedAsReadOnly(
        _ error: PostgreSQLError, _ mode: SQLTransaction.Kind, on connection: ServerConnection
    ) -> Bool {
        guard error.isReadOnly, mode != .reading else { return false }
        connection.abandon()
        return true
    }

    private func begin(_ mode: SQLTransaction.Kind, on connection: ServerConnection) throws(PostgreSQLError) {
        switch mode {
        case .durable:
            try connection.send("BEGIN")
            // The server's own setting may differ, and so may the setting of a session behind a pooler.
            try connection.send("SET LOCAL synchronous_commit = on")
        case .fast:
            try connection.send("BEGIN")
            try connection.send(Self.fastSettings)
        case .reading: try connection.send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        }
    }

    /// Ends a failed transaction; `release` closes a connection that cannot do so.
    private func rollBack(_ connection: ServerConnection) {
        do throws(PostgreSQLError) {
            if connection.isBroken { return }
            try connection.send("ROLLBACK")
            _ = try connection.receive()
        } catch {
            connection.isSuspect = true
        }
    }

    /// Gives threads their connections in the order of their requests.
    private func acquire() throws(PostgreSQLError) -> ServerConnection {
        switch try turn() {
        case .idle(let connection): return connection
        case .open:
            do throws(PostgreSQLError) {
                return try ServerConnection(address, patience: silenceLimit)
            } catch {
                free(nil)
                throw error
            }
        }
    }

    private func turn() throws(PostgreSQLError) -> Turn {
        let promise = Promise<Turn>()
        let turn = state.withLock { state -> Turn? in
            if let connection = state.idle.popLast() { return .idle(connection) }
            if state.openCount < limit {
                state.openCount += 1
                return .open
            }
            state.waiting.append(promise)
            return nil
        }
        if let turn = turn ?? promise.wait(until: Time.monotonic + Self.patience) { return turn }
        let isGivenUp = state.withLock { state -> Bool in
            guard let index = state.waiting.firstIndex(where: { $0 === promise }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
        if isGivenUp { throw .busy(limit: limit) }
        // The thread's turn came at the last moment.
        return promise.wait()
    }

    /// The number of threads that wait for a connection.
    package var waiterCount: Int { state.withLock { $0.waiting.count } }

    private func release(_ connection: ServerConnection) {
        let isAway = connection.isBroken || connection.isDemoted
        free(isAway || connection.isSuspect ? nil : connection)
        // If the server became unreachable, the other idle connections are dead too.
        if isAway {
            state.withLock {
                $0.openCount -= $0.idle.count
                $0.idle = []
            }
        }
    }

    /// Hands a connection, or the place of a closed one, to the thread that has waited longest.
    private func free(_ connection: ServerConnection?) {
        let next = state.withLock { state -> Promise<Turn>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            if let connection { state.idle.append(connection) } else { state.openCount -= 1 }
            return nil
        }
        next?.fulfil(connection.map { .idle($0) } ?? .open)
    }

    private static let patience: Duration = .seconds(10)
}
