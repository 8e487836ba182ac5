internal import GRDB
internal import Linux
public import SQL

/// The tables of one module in an SQLite file.
public struct SQLiteStore: SQLStore {
    private let database: DatabasePool

    /// Opens the file, makes it where it is missing, and brings the module's tables to its version.
    ///
    /// - Throws: the driver's error, or `SQLMigrations.Newer`.
    public init(path: String, _ migrations: SQLMigrations) throws {
        OwnerOnly.makeDatabase(path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        database = try DatabasePool(path: path, configuration: configuration)
        try database.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try migrations.apply(in: SQLiteSession(database)) { try database.execute(sql: $0) }
                return .commit
            }
        }
    }

    /// Reads beside changes.
    public func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.read { try body(SQLiteSession($0)) }
    }

    /// Changes of the file wait for each other.
    public func write<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.writeWithoutTransaction { database in
            var answer: Answer?
            try database.inTransaction(.immediate) {
                answer = try body(SQLiteSession(database))
                return .commit
            }
            return answer!
        }
    }

    /// The same: a file has one writer.
    public func writeBeside<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer { try write(body) }
}
