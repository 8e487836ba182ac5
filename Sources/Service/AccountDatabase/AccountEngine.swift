internal import Accounts
internal import GRDB
internal import PostgreSQL
internal import SQL
internal import SQLite

/// What differs between the databases that a `SQLAccountStore` can have.
protocol AccountEngine: Sendable {
    /// Runs `body` over one state of the database.
    func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer

    /// Runs `body` in one transaction; all changes of accounts wait for each other.
    func write<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer
}

/// Accounts in an SQLite file.
struct SQLiteAccountEngine: AccountEngine {
    private let database: DatabasePool

    init(path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        database = try DatabasePool(path: path, configuration: configuration)
        try database.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try SQLiteAccountSchema.migrate(database)
                return .commit
            }
        }
    }

    func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.read { try body(SQLiteSession($0)) }
    }

    func write<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.writeWithoutTransaction { database in
            var answer: Answer?
            try database.inTransaction(.immediate) {
                answer = try body(SQLiteSession(database))
                return .commit
            }
            return answer!
        }
    }
}

/// Accounts in a PostgreSQL database. One lock for all changes is enough: signing in costs a password's digest, which takes far longer.
struct PostgreSQLAccountEngine: AccountEngine {
    private let database: PostgreSQLDatabase

    init(_ database: PostgreSQLDatabase) throws {
        self.database = database
        try database.transactionOnce(.durable) { session in
            try Self.lock(session)
            try PostgreSQLAccountSchema.migrate(session)
        }
    }

    private static func lock(_ session: PostgreSQLSession) throws {
        try session.executeLater("SELECT pg_advisory_xact_lock(\(accountLock))")
    }

    private static let accountLock = 0x636D_7004

    func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.transaction(.reading, body)
    }

    func write<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.transaction(.durable) { session in
            try Self.lock(session)
            return try body(session)
        }
    }
}
