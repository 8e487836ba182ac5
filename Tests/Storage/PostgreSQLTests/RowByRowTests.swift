import Database
import Foundation
import Linux
import PostgreSQLSupport
import Synchronization
import TestDeadline
import Testing

/// A statement made for a request once had its whole result in memory before its first row was examined. So a bound on
/// what is read came too late: 120 MB were read to refuse what was over 32 MiB.
@Suite("The rows of a statement that was made for a request are read one at a time", .deadline)
struct RowByRowTests {
    private let scratch = try! ScratchDatabase()
    private let limit = SQLLimit(.seconds(25))

    /// Thrown by a reader that wants no more rows.
    private struct Enough: Error {}

    /// A result of 400 MB.
    private let large: SQLText = "SELECT x, repeat('x', 4000) FROM generate_series(1, 100000) AS x"
    /// Each row is longer than what the server buffers before it sends (8 KiB).
    private let slow: SQLText = "SELECT repeat('x', 20000), pg_sleep(0.01) FROM generate_series(1, 100000)"

    /// One connection, so that each transaction shows what the previous one has left.
    private func database() throws -> PostgreSQLDatabase {
        try PostgreSQLDatabase(Address(scratch.server.url(of: scratch.name), program: "tests"), connectionLimit: 1)
    }

    @Test("Each row has its values, in the statement's order", arguments: [0, 1, 2, 1000])
    func values(count: Int) throws {
        let statement: SQLText = """
            SELECT x, 'row ' || x, CASE WHEN x % 2 = 0 THEN repeat('é', CAST(x AS integer)) END, x % 3 = 0
            FROM generate_series(1, CAST(\(value: count) AS bigint)) AS x ORDER BY x
            """
        try database().transaction(.reading) { session in
            var number = 0
            try session.forEachRow(of: statement, within: limit) { row in
                number += 1
                #expect(row.integer(0) == Int64(number))
                #expect(row.text(1) == "row \(number)")
                #expect(row.isNull(2) == (number % 2 == 1))
                #expect(row.text(2) == (number % 2 == 0 ? String(repeating: "é", count: number) : nil))
                #expect(row.integer(3) == (number % 3 == 0 ? 1 : 0))
            }
            #expect(number == count)
            #expect(try session.integer("SELECT 7") == 7)
        }
    }

    @Test("A large result is never in memory as a whole")
    func memory() throws {
        var (count, byteCount) = (0, 0)
        let growth = try Self.growth {
            try database().transaction(.reading) { session in
                (count, byteCount) = (0, 0)
                try session.forEachRow(of: large, within: limit) { row in
                    count += 1
                    byteCount += row.utf8(1)?.count ?? 0
                }
            }
        }
        #expect(count == 100_000)
        #expect(byteCount == 400_000_000)
        #expect(growth < 200 << 20)
    }

    @Test("A reader that has enough leaves the rest out of memory, and its transaction goes on")
    func enough() throws {
        let database = try database()
        try database.transaction(.durable) { session in try session.script("CREATE TABLE things (id BIGINT)") }
        var count = 0
        let growth = try Self.growth {
            try database.transactionOnce(.durable) { session in
                let process = try session.integer("SELECT pg_backend_pid()")
                try session.execute("INSERT INTO things VALUES (1)")
                #expect(throws: Enough.self) {
                    try session.forEachRow(of: large, within: limit) { _ in
                        count += 1
                        if count == 3 { throw Enough() }
                    }
                }
                #expect(try session.text("SHOW statement_timeout") == "30s")
                try session.execute("INSERT INTO things VALUES (2)")
                #expect(try session.integer("SELECT pg_backend_pid()") == process)
                try session.forEachRow(of: "SELECT count(*) FROM things", within: limit) { row in
                    #expect(row.integer(0) == 2)
                }
            }
        }
        #expect(count == 3, "no row is lent after the one at which the reader threw")
        #expect(growth < 200 << 20)
        #expect(try database.transaction(.reading) { try $0.integer("SELECT count(*) FROM things") } == 2)
    }

    @Test("A refusal may come after some rows; the part is taken back, and the change goes on")
    func refusal() throws {
        let database = try database()
        try database.write { session in
            try session.script("CREATE TABLE things (id BIGINT)")
            var count = 0
            #expect {
                try database.write { part in
                    try part.execute("INSERT INTO things VALUES (1)")
                    let failing: SQLText = "SELECT 1 / (1000 - x) FROM generate_series(1, 1000) AS x"
                    try part.forEachRow(of: failing, within: limit) { _ in count += 1 }
                }
            } throws: { error in
                // division_by_zero
                guard case .refused("22012", _) = error as? PostgreSQLError else { return false }
                return true
            }
            #expect(count == 999)
            #expect(try session.integer("SELECT count(*) FROM things") == 0)
            #expect(try session.text("SHOW statement_timeout") == "30s")
            try session.execute("INSERT INTO things VALUES (2)")
        }
        #expect(try database.transaction(.reading) { try $0.integer("SELECT id FROM things") } == 2)
    }

    @Test("A statement that is refused before its first row lends none")
    func refusalAtOnce() throws {
        let database = try database()
        #expect {
            try database.transaction(.reading) { session in
                try session.forEachRow(of: "SELECT * FROM nothing", within: limit) { _ in Issue.record("a row") }
            }
        } throws: { error in
            // undefined_table
            guard case .refused("42P01", _) = error as? PostgreSQLError else { return false }
            return true
        }
        #expect(try database.transaction(.reading) { try $0.integer("SELECT 7") } == 7)
    }

    @Test("A statement that the limit ends after some rows is stopped")
    func stopped() throws {
        let database = try database()
        var count = 0
        let error = #expect(throws: PostgreSQLError.self) {
            try database.transaction(.reading) { session in
                try session.forEachRow(of: slow, within: SQLLimit(.seconds(1))) { _ in count += 1 }
            }
        }
        #expect(error == .stopped)
        #expect(count > 0)
        #expect(try database.transaction(.reading) { try $0.integer("SELECT 7") } == 7)
    }

    @Test("The limit also ends a statement whose reader has had enough, and the reader's error is the one that shows")
    func stoppedWhileDropping() throws {
        let database = try database()
        try database.write { session in
            let began = Time.monotonic
            #expect(throws: Enough.self) {
                try database.write { part in
                    try part.forEachRow(of: slow, within: SQLLimit(.seconds(1))) { _ in throw Enough() }
                }
            }
            #expect(Time.monotonic - began < .seconds(15), "the rows would take a quarter of an hour")
            try session.execute("CREATE TABLE things (id BIGINT)")
        }
        #expect(try database.transaction(.reading) { try $0.hasTable("things") })
    }

    @Test("A connection that breaks after some rows is given up, and the next transaction has another one")
    func broken() throws {
        let database = try database()
        var count = 0
        let error = #expect(throws: PostgreSQLError.self) {
            try database.transactionOnce(.reading) { session in
                try session.forEachRow(of: large, within: limit) { _ in
                    count += 1
                    if count == 1 { try scratch.server.disconnect(scratch.name) }
                }
            }
        }
        guard case .disconnected = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((1..<100_000).contains(count))
        #expect(try database.transaction(.reading) { try $0.integer("SELECT 7") } == 7)
    }

    /// The most bytes by which this process's resident memory grows while `body` runs.
    private static func growth(during body: () throws -> Void) throws -> Int {
        let before = residentByteCount
        let most = Mutex(before)
        let isOver = Promise<Void>()
        let watch = try WorkerThread(name: "memory") {
            repeat {
                let current = residentByteCount
                most.withLock { $0 = max($0, current) }
            } while isOver.wait(until: Time.monotonic + .milliseconds(5)) == nil
        }
        defer {
            isOver.fulfil(())
            watch.join()
        }
        try body()
        return most.withLock { $0 } - before
    }

    private static var residentByteCount: Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
}
