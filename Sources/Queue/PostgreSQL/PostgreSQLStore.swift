public import SQL

/// The tables of one module in a PostgreSQL database.
public struct PostgreSQLStore: SQLStore {
    private let database: PostgreSQLDatabase
    private let lock: Int
    private let ordersChanges: Bool

    /// Brings the module's tables to its version.
    ///
    /// - Parameters:
    ///   - lock: the number of the module's advisory lock.
    ///   - ordersChanges: whether changes wait for each other by it; without that, only migrations do.
    /// - Throws: `PostgreSQLError`, or `SQLMigrations.Newer`.
    public init(
        _ database: PostgreSQLDatabase, lock: Int, _ migrations: SQLMigrations, ordersChanges: Bool = true
    ) throws {
        self.database = database
        self.lock = lock
        self.ordersChanges = ordersChanges
        try database.migration { session in
            try Self.take(lock, session)
            try migrations.apply(in: session) { try session.script($0) }
        }
    }

    private static func take(_ lock: Int, _ session: PostgreSQLSession) throws {
        try session.executeLater("SELECT pg_advisory_xact_lock(\(lock))")
    }

    /// Reads beside changes.
    public func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.transaction(.reading, body)
    }

    /// Takes the lock first, where changes are ordered.
    public func write<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.transaction(.durable) { session in
            if ordersChanges { try Self.take(lock, session) }
            return try body(session)
        }
    }

    /// Shares the lock, where changes are ordered.
    public func writeBeside<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.transaction(.durable) { session in
            if ordersChanges { try session.executeLater("SELECT pg_advisory_xact_lock_shared(\(lock))") }
            return try body(session)
        }
    }
}
