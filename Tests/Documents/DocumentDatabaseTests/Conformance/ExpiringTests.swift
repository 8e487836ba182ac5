import Database
import Documents
import Linux
import Media
import PostgreSQLSupport
import TestDeadline
import TestSupport
import Testing

@Suite("Every document store: rows whose time is over", .deadline)
struct ExpiringTests {
    private static let week = Duration.seconds(7 * 86_400)

    /// A document with an event and a link.
    @discardableResult
    private func linked(_ bench: StoreBench) throws -> Document {
        let document = try bench.add("T")
        _ = try bench.store.addLink(to: document.id, of: bench.owner, permission: .view, lifetime: .seconds(60))
        return document
    }

    /// Removes expired rows.
    ///
    /// - Returns: the number of removed rows.
    private func removedCount(_ bench: StoreBench) throws -> Int64 {
        func count() throws -> Int64 {
            let database: any SQLDatabase = try bench.scratch?.database ?? SQLiteDatabase(path: bench.path)
            return try database.read { session in
                try session.integer(
                    """
                    SELECT (SELECT count(*) FROM document_events) + (SELECT count(*) FROM share_links)
                        + (SELECT count(*) FROM removed_persons)
                    """) ?? 0
            }
        }
        let before = try count()
        try bench.store.removeExpiredRows()
        return try before - count()
    }

    @Test("Upkeep deletes them, and nothing else", arguments: StoreDriver.allCases)
    func upkeep(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        let document = try linked(bench)
        try bench.store.forget(bench.stranger)
        #expect(try removedCount(bench) == 0)
        bench.clock.advance(.seconds(61))
        #expect(try removedCount(bench) == 1, "the link")
        bench.clock.advance(Self.week)
        _ = try bench.store.addLink(to: document.id, of: bench.owner, permission: .view, lifetime: .seconds(60))
        try bench.add("U")
        #expect(try removedCount(bench) == 2, "the event, and the person who was removed")
        #expect(try removedCount(bench) == 0)
        #expect(try bench.events() == [.stored] && bench.store.links(to: document.id, of: bench.owner).count == 1)
    }

    @Test("A removed person is forgotten after two days, without anybody's removal", arguments: StoreDriver.allCases)
    func removed(driver: StoreDriver) throws {
        let bench = try StoreBench(driver)
        try bench.store.forget(bench.owner)
        bench.clock.advance(.seconds(2 * 86_400 - 1))
        #expect(throws: DocumentError.self) { try bench.add("T") }
        bench.clock.advance(.seconds(2))
        #expect(throws: Never.self) { try bench.add("T") }
    }

    @Test("More than one statement deletes are all deleted")
    func many() throws {
        let bench = try StoreBench(.postgreSQL)
        let scratch = try #require(bench.scratch)
        try linked(bench)
        try scratch.server.psql(
            scratch.name,
            """
            INSERT INTO document_events (user_id, kind, document, line, created_at)
            SELECT user_id, kind, document, line, created_at FROM document_events, generate_series(1, 2500)
            """)
        bench.clock.advance(Self.week + .seconds(1))
        #expect(try removedCount(bench) == 2502)
    }

    @Test("Nobody's change waits for somebody who has locked such rows, or deletes them")
    func beside() throws {
        let bench = try StoreBench(.postgreSQL)
        let database = try #require(bench.scratch).database
        let document = try linked(bench)
        try bench.store.forget(bench.stranger)
        bench.clock.advance(Self.week + .seconds(1))
        let (isHeld, ends) = (Promise<Void>(), Promise<Void>())
        defer { ends.fulfil(()) }
        let holder = try WorkerThread(name: "holder") {
            try? database.transaction(.durable) { session in
                for table in ["document_events", "share_links", "removed_persons"] {
                    _ = try session.hasRow("SELECT 1 FROM \(table) FOR UPDATE", [])
                }
                isHeld.fulfil(())
                _ = try? ends.value()
            }
        }
        try isHeld.value()
        #expect(throws: Never.self) {
            try bench.add("U")
            _ = try bench.store.addLink(to: document.id, of: bench.owner, permission: .view, lifetime: .seconds(60))
            try bench.store.forget(.make(at: bench.clock.now))
        }
        #expect(try removedCount(bench) == 0, "what somebody has locked is left")
        ends.fulfil(())
        holder.join()
        #expect(try removedCount(bench) == 3)
    }
}
