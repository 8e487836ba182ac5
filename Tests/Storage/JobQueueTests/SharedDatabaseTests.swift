import Database
import JobQueue
import Linux
import Media
import PostgreSQLSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("A queue in a database that other tables share", .deadline)
struct SharedDatabaseTests {
    enum Driver: String, CaseIterable, Sendable {
        case sqlite
        case postgreSQL
    }

    /// A database with another module's table next to the queue's.
    private struct Bench {
        let database: any SQLDatabase
        let queue: any JobQueue
        private let scratch: ScratchDatabase?
        private let folder = TemporaryFolder.make("shared")

        init(_ driver: Driver) throws {
            scratch = driver == .postgreSQL ? try ScratchDatabase() : nil
            database = try scratch?.database ?? SQLiteDatabase(path: "\(folder)/file")
            try database.write { _ = try $0.execute("CREATE TABLE document (title TEXT)") }
            try QueueTables.migrate(database)
            queue = try QueueTables.open(database)
        }

        /// Adds a row and jobs in one transaction.
        @discardableResult
        func add(_ requests: [JobRequest]) throws -> [Enqueued] {
            try database.write(sending: [.jobs]) { session in
                try session.execute("INSERT INTO document VALUES (?)", ["a résumé"])
                return try QueueTables.enqueue(
                    requests, in: session, at: QueueInstant(milliseconds: database.microseconds / 1000))
            }
        }

        func rowCount() throws -> Int64? { try database.read { try $0.integer("SELECT count(*) FROM document") } }
    }

    private struct Abandoned: Error {}

    @Test(
        "A row and its jobs are committed together, in the requests' order, and a worker can claim them",
        arguments: Driver.allCases)
    func committed(driver: Driver) throws {
        let bench = try Bench(driver)
        let enqueued = try bench.add([
            .of("/a"), JobRequest(source: .object("u/resume/1_b.pdf"), recipes: [Preset.grid.recipe]), .of("/a"),
        ])
        #expect(enqueued.map(\.isDuplicate) == [false, false, true])
        #expect(enqueued[0].id == enqueued[2].id && enqueued[0].id < enqueued[1].id)
        #expect(try bench.rowCount() == 1)
        let claimed = try bench.queue.claim(upTo: 9, by: "w", for: .seconds(30))
        #expect(claimed.map(\.job.source) == [.path("/a"), .object("u/resume/1_b.pdf")])
        #expect(try bench.queue.status().jobCount(.leased) == 2)
    }

    @Test("A transaction that is rolled back leaves neither the row nor its job", arguments: Driver.allCases)
    func rolledBack(driver: Driver) throws {
        let bench = try Bench(driver)
        #expect(throws: Abandoned.self) {
            try bench.database.transaction {
                try bench.add([.of("/a")])
                throw Abandoned()
            }
        }
        #expect(try bench.queue.list(JobFilter()).isEmpty && bench.rowCount() == 0)
        #expect(try bench.queue.status().jobCount(.available) == 0)
    }

    @Test(
        "What a queue is asked inside a transaction belongs to it, and a part that fails is taken back alone",
        arguments: Driver.allCases)
    func inside(driver: Driver) throws {
        let bench = try Bench(driver)
        try bench.database.transaction {
            try bench.add([.of("/a")])
            #expect(throws: QueueError.self) { try bench.add([.of("/b", recipes: [])]) }
            #expect(throws: Abandoned.self) {
                try bench.database.write { session in
                    try session.execute("INSERT INTO document VALUES (?)", ["taken back"])
                    throw Abandoned()
                }
            }
            #expect(try bench.queue.enqueue(.of("/a")).isDuplicate)
            #expect(try bench.rowCount() == 1)
        }
        #expect(try bench.rowCount() == 1 && bench.queue.status().jobCount(.available) == 1)
    }

    @Test("The work of a queue inside a transaction belongs to it, too", arguments: Driver.allCases)
    func worked(driver: Driver) throws {
        let bench = try Bench(driver)
        try bench.queue.enqueue(.of("/a"))
        #expect(throws: Abandoned.self) {
            try bench.database.transaction {
                let claimed = try #require(try bench.queue.claim(upTo: 1, by: "w", for: .seconds(30)).first)
                try bench.queue.recordAttempt(claimed.token)
                try bench.queue.complete(claimed.token, JobOutcome())
                #expect(try bench.queue.status().jobCount(.done) == 1)
                throw Abandoned()
            }
        }
        #expect(try bench.queue.status().jobCount(.available) == 1 && bench.queue.status().jobCount(.done) == 0)
    }

    @Test("A task that is begun inside a transaction has no part in it", arguments: Driver.allCases)
    func elsewhere(driver: Driver) async throws {
        let bench = try Bench(driver)
        let isInside = try bench.database.transaction {
            #expect(bench.database.isInWriteTransaction)
            return Task { bench.database.isInWriteTransaction }
        }
        #expect(await !isInside.value)
    }

    @Test("A part that is refused late, or fails for another reason, is taken back alone", arguments: Driver.allCases)
    func parts(driver: Driver) throws {
        let bench = try Bench(driver)
        try bench.database.write { _ = try $0.execute("CREATE UNIQUE INDEX titles ON document (title)") }
        func insert(_ title: String, _ session: any SQLSession) throws {
            try session.executeLater("INSERT INTO document VALUES (?)", [title])
        }
        try bench.database.transaction {
            try bench.database.write { try insert("a", $0) }
            for fails in [false, true] {
                #expect(throws: (any Error).self) {
                    try bench.database.write { session in
                        try insert("b", session)
                        try insert("a", session)
                        if fails { throw Abandoned() }
                    }
                }
            }
            #expect(throws: Abandoned.self) {
                try bench.database.transaction {
                    try bench.database.write { try insert("c", $0) }
                    throw Abandoned()
                }
            }
            try bench.database.write { try insert("d", $0) }
        }
        #expect(
            try bench.database.read { try $0.all("SELECT title FROM document ORDER BY title") { $0.text(0) } } == [
                "a", "d",
            ])
    }

    @Test("A transaction goes on inside one of another database")
    func nested() throws {
        let (bench, other) = (try Bench(.sqlite), try Bench(.sqlite))
        #expect(throws: Abandoned.self) {
            try bench.database.transaction {
                try other.database.transaction {
                    try bench.add([.of("/a")])
                    try other.add([.of("/b")])
                }
                throw Abandoned()
            }
        }
        #expect(try bench.rowCount() == 0 && other.rowCount() == 1)
    }

    @Test("An equal job raises the priority of the one that waits", arguments: Driver.allCases)
    func raised(driver: Driver) throws {
        let bench = try Bench(driver)
        let id = try bench.queue.enqueue(.of("/a", priority: .backfill)).id
        let again = try bench.add([.of("/a", priority: .interactive)])
        #expect(again.map(\.id) == [id] && again[0].isDuplicate)
        #expect(try bench.queue.show(id).job.priority == .interactive)
    }

    @Test(
        "Tables of a newer program are not opened, and those from before the first release are not taken for missing ones",
        arguments: Driver.allCases)
    func versions(driver: Driver) throws {
        let bench = try Bench(driver)
        try bench.database.write { session in
            try session.execute("UPDATE schema_versions SET version = 7 WHERE name = ?", ["queue"])
            _ = try session.execute("CREATE TABLE queue_more (x BIGINT)")
        }
        let newer = QueueError.newerSchema(found: 7, known: QueueTables.schema.version)
        #expect(throws: newer) { try QueueTables.migrate(bench.database) }
        #expect(throws: newer) { try QueueTables.open(bench.database) }
        try bench.database.migration { session in
            try session.execute("DELETE FROM schema_versions WHERE name = ?", ["queue"])
            _ = try session.execute("CREATE TABLE queue_migration (number BIGINT)")
        }
        #expect {
            try QueueTables.migrate(bench.database)
        } throws: { error in
            if case .formerSchema = error as? QueueError { true } else { false }
        }
    }

    @Test("The signal of a transaction wakes a waiter once it is committed, and not before", arguments: Driver.allCases)
    func announced(driver: Driver) throws {
        let bench = try Bench(driver)
        let waiter = try bench.queue.makeWaiter()
        // The start of a server's signals also wakes the waiter.
        while try waiter.wait(atMost: .milliseconds(10)) {}
        try bench.database.transaction {
            try bench.add([.of("/a")])
            try bench.queue.enqueue(.of("/b"))
            #expect(try !waiter.wait(atMost: .milliseconds(10)))
        }
        #expect(try waiter.wait(atMost: .seconds(10)))
    }

    @Test("A statement without end ends at its limit, and the next one works", arguments: Driver.allCases)
    func limit(driver: Driver) throws {
        let bench = try Bench(driver)
        let endless: SQLText = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
        let error = #expect(throws: (any Error).self) {
            try bench.database.read { try $0.forEachRow(of: endless, within: SQLLimit(.milliseconds(100))) { _ in } }
        }
        #expect((error as? any SQLFault)?.trouble == .stopped, "\(String(describing: error))")
        #expect(try bench.database.read { try $0.integer("SELECT count(*) FROM document") } == 0)
    }

    @Test(
        "A statement that is asked again has its own values, also after one that was left at a row",
        arguments: Driver.allCases)
    func again(driver: Driver) throws {
        let bench = try Bench(driver)
        try bench.database.write { session in
            for title in ["a", "b", "c"] { try session.execute("INSERT INTO document VALUES (?)", [title]) }
        }
        func titles(from first: String, as column: String = "title") throws -> String {
            let statement: SQLText = """
                SELECT title AS \(name: column) FROM document WHERE title >= \(value: first) ORDER BY title
                """
            return try bench.database.read { session in
                var titles = ""
                try session.forEachRow(of: statement, within: SQLLimit(.seconds(5))) { row in
                    guard row.text(0) != "d" else { throw Abandoned() }
                    titles += row.text(0) ?? "?"
                }
                return titles
            }
        }
        #expect(try [titles(from: "b"), titles(from: "a"), titles(from: "c")] == ["bc", "abc", "c"])
        // More statements than a connection keeps.
        for number in 0..<40 { #expect(try titles(from: "b", as: "title_\(number)") == "bc") }
        #expect(try titles(from: "b") == "bc")
        try bench.database.write { _ = try $0.execute("INSERT INTO document VALUES (?)", ["d"]) }
        #expect(throws: Abandoned.self) { try titles(from: "c") }
        try bench.database.write { _ = try $0.execute("DELETE FROM document WHERE title IN ('b', 'd')", []) }
        #expect(try titles(from: "a") == "ac", "nothing stands on an old state")
        try bench.database.write { _ = try $0.execute("ALTER TABLE document ADD COLUMN more TEXT", []) }
        #expect(try titles(from: "a") == "ac", "tables were changed")
    }

    @Test("A change that takes longer than its limit ends, and nothing of it is there", arguments: Driver.allCases)
    func longChange(driver: Driver) throws {
        let bench = try Bench(driver)
        func change(_ more: (any SQLSession) throws -> Void) -> SQLTrouble? {
            let error = #expect(throws: (any Error).self) {
                try bench.database.write([], within: SQLLimit(.milliseconds(200))) { session in
                    try session.execute("INSERT INTO document VALUES (?)", ["a"])
                    try more(session)
                }
            }
            return (error as? any SQLFault)?.trouble
        }
        // Many short statements.
        #expect(change { while true { try $0.execute("UPDATE document SET title = ?", ["b"]) } } == .stopped)
        #expect(
            change { session in
                while (try? session.execute("UPDATE document SET title = ?", ["b"])) != nil {}
            } == .stopped, "its faults were caught")
        if driver == .sqlite {
            let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"
            #expect(change { _ = try $0.integer(endless) } == .stopped)
        }
        #expect(try bench.rowCount() == 0)
        try bench.database.write([], within: SQLLimit(.seconds(60))) { session in
            _ = try session.execute("INSERT INTO document VALUES (?)", ["a"])
        }
        #expect(try bench.rowCount() == 1)
    }

    @Test("A file that nobody has open any more has no log, whatever its connections have compiled")
    func end() throws {
        let path = "\(TemporaryFolder.make("ended"))/file"
        try Self.readAtOnce(try SQLiteDatabase(path: path), threadCount: 4)
        #expect(throws: SystemError.self) { try FileStatus.of(path: "\(path)-wal") }
    }

    private static func readAtOnce(_ database: SQLiteDatabase, threadCount: Int) throws {
        try database.write { _ = try $0.execute("CREATE TABLE document (title TEXT)") }
        let count = Mutex(0)
        let threads = try (0..<threadCount).map { number in
            try WorkerThread(name: "reader \(number)") {
                try? database.read { session in
                    count.withLock { $0 += 1 }
                    // Each thread has its own connection.
                    while count.withLock({ $0 < threadCount }) { Time.sleep(.milliseconds(1)) }
                    try session.forEachRow(of: "SELECT title FROM document", within: SQLLimit(.seconds(5))) { _ in }
                }
            }
        }
        for thread in threads { thread.join() }
    }
}
