internal import Linux
internal import Synchronization

/// A PostgreSQL server for threads that block: transactions on a bounded number of connections.
public final class PostgreSQLDatabase: SQLDatabase {
    /// Where the server is.
    public let address: Address
    /// The server's clock.
    let clock = ServerClock()
    /// Signals between processes; nothing is connected before they are needed.
    let notifier: LazyNotifier
    private let limit: Int
    private let silenceLimit: Duration
    private let state = Mutex(State())

    private struct State {
        var idle: [ServerConnection] = []
        var openCount = 0
        /// Those that wait for a connection, the first one first. While somebody waits, none is idle, and no further one may be opened.
        var waiting: [Promise<Turn>] = []
    }

    /// What a thread gets that needs a connection.
    private enum Turn {
        case idle(ServerConnection)
        /// It opens one, in the place of one that is counted already.
        case open
    }

    /// A database to which nothing is connected yet.
    ///
    /// - Parameters:
    ///   - connectionLimit: how many connections there are at most; further threads wait.
    ///   - silenceLimit: how long the server may be silent while an answer is due, and a little more where several are; then the
    ///     connection counts as broken. The server ends a statement itself after 30 s.
    public init(_ address: Address, connectionLimit: Int = 8, silenceLimit: Duration = .seconds(35)) {
        self.address = address
        notifier = LazyNotifier(address)
        self.silenceLimit = silenceLimit
        limit = connectionLimit
    }

    /// Runs `body` in a transaction. What is `fast` a crash of the server may take back in the order in which it came, for up to half a
    /// second (`synchronous_commit = off`).
    ///
    /// `body` runs again where the transaction lost against another one, or the connection turned out to be dead before the commit
    /// was sent; so it must change nothing but the database.
    /// - Throws: what `body` throws, or `PostgreSQLError`. After `disconnected` a durable change may be there.
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
                // Where several transactions lost to each other, they must not meet again.
                Time.sleep(.microseconds(Int64.random(in: 0..<(2000 << tries))))
            }
        }
    }

    /// Runs `body` in a transaction exactly once, whatever it does besides.
    public func transactionOnce<Answer>(
        _ mode: SQLTransaction.Kind, _ body: (PostgreSQLSession) throws -> Answer
    ) throws -> Answer {
        do {
            return try once(mode, body)
        } catch let error as RetryableLoss {
            throw error.cause
        }
    }

    /// Waits for another's lock no longer than any transaction, since others wait behind it meanwhile: then it lets them pass, and `body`
    /// runs again after a pause. So it must change nothing but the database.
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

    /// Runs `body` in a fast transaction, and again where the answer to its commit was lost; so it looks first for what it did. Inside a
    /// transaction of changes it is a part of that one.
    ///
    /// A value that is unique in the database keeps a run that is still under way and the next one from both being committed.
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
                // A server that has just gone away may be back in a moment, and then tells what was done.
                guard hasRun, error.endsConnection else { throw error }
                Time.sleep(Self.reconnectPause)
                throw RetryableLoss(cause: error)
            }
        }
    }

    /// Runs a statement as one fast transaction in one round trip; inside a transaction of changes, as a part of that one.
    ///
    /// It runs again where the connection dies, perhaps after it was carried out: twice must do no more harm than once.
    /// - Returns: what `body` makes of the first row; `nil` where there is none.
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
                // The server takes what is sent together as one transaction.
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

    /// For `fast`. The plans do not depend on values, so they are made once a connection.
    private static let fastSettings = """
        SELECT set_config('synchronous_commit', 'off', TRUE), set_config('plan_cache_mode', 'force_generic_plan', TRUE)
        """

    /// A statement with its values.
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
    /// No try begins later: after one server that did not answer another may, after two the caller has waited long enough.
    private static let retrySpan: Duration = .seconds(40)

    /// A transaction that may run again: it has changed nothing for certain, or finds what it did.
    private struct RetryableLoss: Error {
        let cause: PostgreSQLError
    }

    /// - Parameters:
    ///   - hasTime: whether statements may take as long as they need.
    ///   - isRepeatable: whether `body` may run again where the answer to the commit was lost.
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
            // The server answers ROLLBACK where a statement was refused and `body` went on.
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

    /// Whether a change was refused because the server takes none any more, as a former primary. The next connection looks for one
    /// that does.
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
            // A server may be set otherwise, and so may a session behind a pooler.
            try connection.send("SET LOCAL synchronous_commit = on")
        case .fast:
            try connection.send("BEGIN")
            try connection.send(Self.fastSettings)
        case .reading: try connection.send("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        }
    }

    /// Ends a transaction that failed; a connection that cannot do so is closed by `release`.
    private func rollBack(_ connection: ServerConnection) {
        do throws(PostgreSQLError) {
            if connection.isBroken { return }
            try connection.send("ROLLBACK")
            _ = try connection.receive()
        } catch {
            connection.isSuspect = true
        }
    }

    /// Threads get connections in the order in which they ask.
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
        // Its turn came in the last moment.
        return promise.wait()
    }

    /// How many threads wait for a connection.
    package var waiterCount: Int { state.withLock { $0.waiting.count } }

    private func release(_ connection: ServerConnection) {
        let isAway = connection.isBroken || connection.isDemoted
        free(isAway || connection.isSuspect ? nil : connection)
        // Where the server went away, the other idle connections are dead, too.
        if isAway {
            state.withLock {
                $0.openCount -= $0.idle.count
                $0.idle = []
            }
        }
    }

    /// Hands a connection, or the place of one that is closed, to the thread that has waited the longest.
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
