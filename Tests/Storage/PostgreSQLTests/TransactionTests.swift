import Database
import Linux
import PostgreSQLSupport
import TestDeadline
import TestSupport
import Testing

@Suite("Transactions have the settings that they need", .deadline)
struct TransactionTests {
    private let scratch = try! ScratchDatabase()

    private func address(_ suffix: String = "") throws -> Address {
        try Address(scratch.server.url(of: scratch.name) + suffix, program: "tests")
    }

    @Test("A durable change waits for the disk whatever the session is set to, and a fast one does not")
    func durability() throws {
        let database = PostgreSQLDatabase(try address("&options=-c%20synchronous_commit%3Doff"))
        func setting(_ mode: SQLTransaction.Kind) throws -> String? {
            try database.transaction(mode) { session in try session.text("SHOW synchronous_commit") }
        }
        #expect(try setting(.durable) == "on")
        #expect(try setting(.fast) == "off")
        #expect(try setting(.reading) == "off", "the setting ends with the transaction")
    }

    @Test("A migration's statements take as long as they need, and wait for locks no longer than others")
    func migrationLimits() throws {
        func limits(_ session: any SQLSession) throws -> [String?] {
            [try session.text("SHOW statement_timeout"), try session.text("SHOW lock_timeout")]
        }
        let database = PostgreSQLDatabase(try address(), connectionLimit: 1)
        #expect(try database.migration(limits) == ["0", "10s"])
        #expect(try database.transaction(.durable, limits) == ["30s", "10s"])
    }

    @Test("A statement that was made for a request ends in time, and leaves nothing prepared and no setting behind")
    func statementLimit() throws {
        let database = PostgreSQLDatabase(try address(), connectionLimit: 1)
        let error = #expect(throws: PostgreSQLError.self) {
            try database.transaction(.reading) { session in
                try session.forEachRow(of: "SELECT pg_sleep(60)", within: SQLLimit(.milliseconds(100))) { _ in }
            }
        }
        #expect(error?.trouble == .stopped)
        try database.transaction(.reading) { session in
            var texts: [String?] = []
            try session.forEachRow(
                of: "SELECT \(value: 7) + 1, \(value: "a'?") WHERE TRUE", within: SQLLimit(.seconds(5))
            ) { row in texts += [row.text(0), row.text(1)] }
            #expect(texts == ["8", "a'?"])
            #expect(try session.text("SHOW statement_timeout") == "30s")
            let prepared = """
                SELECT count(*) FROM pg_prepared_statements
                WHERE statement LIKE 'SELECT pg_sleep%' OR statement LIKE 'SET LOCAL statement_timeout =%'
                """
            #expect(try session.integer(prepared) == 0)
        }
    }

    @Test("A migration that waited in vain for a lock lets others pass, and is tried again")
    func migrationLock() throws {
        let (database, other) = (PostgreSQLDatabase(try address()), PostgreSQLDatabase(try address()))
        try database.migration { session in try session.script("CREATE TABLE things (id BIGINT)") }
        let (isLocked, isOver) = (Promise<Void>(), Promise<Void>())
        let holder = try WorkerThread(name: "holder") {
            try? other.transaction(.durable) { session in
                try session.execute("LOCK TABLE things IN SHARE MODE")
                isLocked.fulfil(())
                _ = try? isOver.value()
            }
        }
        defer { isOver.fulfil(()) }
        try isLocked.value()
        var tryCount = 0
        try database.migration { session in
            tryCount += 1
            if tryCount == 2 {
                isOver.fulfil(())
                holder.join()
            }
            try session.execute("SET LOCAL lock_timeout = '100ms'")
            try session.script("ALTER TABLE things ADD COLUMN name TEXT")
        }
        #expect(tryCount == 2)
        #expect(try !database.transaction(.reading) { session in try session.hasRow("SELECT name FROM things") })
    }

    @Test("Without a right to a table a server is not read-only")
    func privileges() throws {
        try scratch.server.psql(scratch.name, "CREATE TABLE others (id BIGINT); CREATE ROLE nobody_\(scratch.name)")
        #expect {
            try PostgreSQLDatabase(try address()).transaction(.durable) { session in
                try session.execute("SET LOCAL ROLE nobody_\(scratch.name)")
                try session.execute("INSERT INTO others VALUES (1)")
            }
        } throws: { error in
            guard let error = error as? PostgreSQLError, case .refused("42501", _) = error else { return false }
            return !error.isReadOnly
        }
        try scratch.server.psql(scratch.name, "DROP ROLE nobody_\(scratch.name)")
    }
}
