import GRDB
import JobQueue
import Media
import TestDeadline
import Testing

@Suite("A queue in a file that other tables share", .deadline)
struct SharedFileTests {
    private let folder = try! ScratchFolder()
    private var path: String { "\(folder.path)/shared.sqlite" }

    /// The connection of another module, whose table lies beside the queue's.
    private func openShared() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        let database = try DatabaseQueue(path: path, configuration: configuration)
        try database.write { database in
            try database.execute(sql: "CREATE TABLE IF NOT EXISTS document (title TEXT)")
            try SQLiteQueue.migrate(in: database)
        }
        return database
    }

    private struct Abandoned: Error {}

    @Test("The tables of both are made in one transaction, and a queue opens the file")
    func migrating() throws {
        let database = try openShared()
        #expect(try database.write { try SQLiteQueue.migrate(in: $0) } == 2)
        #expect(try SQLiteQueue(path: path).list(JobFilter()).isEmpty)
        #expect(try SQLiteQueue.migrate(path: path) == (2, 2))
    }

    @Test("A migration that is rolled back leaves no table of the queue")
    func migrationRolledBack() throws {
        let database = try DatabaseQueue(path: path)
        #expect(throws: Abandoned.self) {
            try database.write { database in
                #expect(try SQLiteQueue.migrate(in: database) == 0)
                throw Abandoned()
            }
        }
        #expect(throws: QueueError.notMigrated(detail: "version 0 of 2")) { try SQLiteQueue(path: path) }
    }

    @Test("A row and its jobs are committed together, in the requests' order, and a worker can claim them")
    func committed() throws {
        let database = try openShared()
        let queue = try SQLiteQueue(path: path)
        let enqueued = try database.write { database in
            try database.execute(sql: "INSERT INTO document VALUES ('a résumé')")
            return try SQLiteQueue.enqueue(
                [.of("/a"), JobRequest(source: .object("u/resume/1_b.pdf"), recipes: [Preset.grid.recipe]), .of("/a")],
                in: database)
        }
        #expect(enqueued.map(\.isDuplicate) == [false, false, true])
        #expect(enqueued[0].id == enqueued[2].id && enqueued[0].id < enqueued[1].id)
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM document") } == 1)
        let claimed = try queue.claim(upTo: 9, by: "w", for: .seconds(30))
        #expect(claimed.map(\.job.source) == [.path("/a"), .object("u/resume/1_b.pdf")])
        #expect(try queue.status().jobCount(.leased) == 2)
    }

    @Test("A transaction that is rolled back leaves neither the row nor its job")
    func rolledBack() throws {
        let database = try openShared()
        #expect(throws: Abandoned.self) {
            try database.write { database in
                try database.execute(sql: "INSERT INTO document VALUES ('a résumé')")
                try SQLiteQueue.enqueue([.of("/a")], in: database)
                throw Abandoned()
            }
        }
        let queue = try SQLiteQueue(path: path)
        #expect(try queue.list(JobFilter()).isEmpty)
        #expect(try queue.status().jobCount(.available) == 0)
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM document") } == 0)
    }

    @Test("An equal job raises the priority of the one that waits")
    func raised() throws {
        let database = try openShared()
        let queue = try SQLiteQueue(path: path)
        let id = try queue.enqueue(.of("/a", priority: .backfill)).id
        let again = try database.write { try SQLiteQueue.enqueue([.of("/a", priority: .interactive)], in: $0) }
        #expect(again.map(\.id) == [id] && again[0].isDuplicate)
        #expect(try queue.show(id).job.priority == .interactive)
    }

    @Test("Requests that make no sense, tables that are missing and those of a newer program are refused")
    func refused() throws {
        let database = try openShared()
        #expect {
            try database.write { try SQLiteQueue.enqueue([.of("/a", recipes: [])], in: $0) }
        } throws: { error in
            if case .invalid = error as? QueueError { true } else { false }
        }
        try database.write { try $0.execute(sql: "INSERT INTO queue_migration VALUES (7, 'from the future', 0)") }
        for body in [
            { database in _ = try SQLiteQueue.enqueue([.of("/a")], in: database) },
            { database in try SQLiteQueue.migrate(in: database) },
        ] as [(Database) throws -> Void] {
            #expect(throws: QueueError.newerSchema(found: 7, known: 2)) { try database.write(body) }
        }
        let bare = try DatabaseQueue(path: path + "-bare")
        #expect(throws: QueueError.notMigrated(detail: "version 0 of 2")) {
            try bare.write { try SQLiteQueue.enqueue([.of("/a")], in: $0) }
        }
    }

    @Test("An announcement after the commit wakes a waiter", arguments: [true, false])
    func announced(throughQueue: Bool) throws {
        let database = try openShared()
        let queue = try SQLiteQueue(path: path)
        let waiter = try queue.makeWaiter()
        _ = try database.write { try SQLiteQueue.enqueue([.of("/a")], in: $0) }
        #expect(try !waiter.wait(atMost: .milliseconds(10)))
        if throughQueue { queue.announce() } else { SQLiteQueue.announce(path: path) }
        #expect(try waiter.wait(atMost: .seconds(10)))
    }
}
