import JobQueue
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("SQLiteQueue and damaged rows", .deadline)
struct UnreadableRowsTests {
    private let folder = try! ScratchFolder()
    private let clock = ManualClock()
    private var path: String { "\(folder.path)/queue.sqlite" }

    /// Values that another program or a disk fault may leave in a column.
    private static let nonsense = [
        "NULL", "'nonsense'", "''", "x'fffe00'", "CAST(x'ff41' AS TEXT)", "-1", "77", "9223372036854775807", "1.5",
        "1.5e300",
        "'[\"1 grid'", "'{\"code\":'", "'[]'", "'a' || char(0) || 'b'", "hex(zeroblob(50000))",
        "replace(hex(zeroblob(5000)), '0', '[')",
    ]

    /// A queue without constraints: `count` jobs in each state that the test damages, then `good` jobs.
    private func makeQueue(victims count: Int, good: Int) throws -> (queue: SQLiteQueue, good: [JobID]) {
        try SQLiteQueue.migrate(path: path)
        let queue = try SQLiteQueue(path: path, QueueSurroundings(clock: clock))
        func enqueue(_ name: String, _ count: Int) throws -> [JobID] {
            try queue.enqueue((0..<count).map { .of("/\(name)\($0)") }).map(\.id)
        }
        _ = try enqueue("leased", count)
        for claimed in try queue.claim(upTo: count, by: "victims", for: .seconds(30)) {
            try queue.recordAttempt(claimed.token)
        }
        _ = try enqueue("done", count)
        for claimed in try queue.claim(upTo: count, by: "w", for: .seconds(30)) {
            try queue.recordAttempt(claimed.token)
            try queue.complete(claimed.token, JobOutcome())
        }
        _ = try enqueue("dead", count)
        for claimed in try queue.claim(upTo: count, by: "w", for: .seconds(30)) {
            try queue.recordAttempt(claimed.token)
            try queue.fail(claimed.token, Failure(.corrupt), isRetryable: false, timings: [])
        }
        _ = try enqueue("waiting", count)
        for number in 0..<count {
            try queue.recordCrash(of: SHA(number).digest, build: "b")
            try queue.recordCrash(of: SHA(number).digest, build: "b")
            try queue.pause(JobKind(rawValue: "paused-\(number)")!)
        }
        return (queue, try enqueue("good", good))
    }

    private struct SHA {
        let digest: Digest

        init(_ number: Int) {
            let digits = String(number, radix: 16)
            digest = Digest(hex: String(repeating: "0", count: 64 - digits.count) + digits)!
        }
    }

    /// Damages one column in several rows, each with a different value, bypassing the tables' constraints.
    private func spoil(_ table: String, _ column: String) throws {
        var sql = """
            PRAGMA ignore_check_constraints = ON;
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name = '\(table)';
            PRAGMA writable_schema = RESET;

            """
        let key = try OtherProgram.sqlite(
            path, "SELECT group_concat(name) FROM pragma_table_info('\(table)') WHERE pk > 0;")
        let order = key.first ?? "rowid"
        for state in table == "queue_job" ? ["available", "leased", "done", "dead"] : [""] {
            let rows = state.isEmpty ? "" : "WHERE state = '\(state)' AND source NOT LIKE '/good%'"
            sql +=
                "CREATE TEMP TABLE victims_\(state) AS SELECT *, row_number() OVER (ORDER BY \(order)) - 1 AS n FROM \(table) \(rows);\n"
            for (number, value) in Self.nonsense.enumerated() {
                let names = order.split(separator: ",")
                let same = names.map { "\(table).\($0) = v.\($0)" }.joined(separator: " AND ")
                sql += """
                    UPDATE OR IGNORE \(table) SET "\(column)" = \(value) FROM temp.victims_\(state) AS v
                    WHERE \(same) AND v.n = \(number);

                    """
            }
        }
        try OtherProgram.sqlite(path, sql, mayFail: true)
    }

    /// All operations of workers and people; only operations on single jobs may be refused.
    private func useEverything(_ queue: SQLiteQueue, good: [JobID]) throws {
        func allowing(_ body: () throws(QueueError) -> Void) throws(QueueError) {
            do throws(QueueError) {
                try body()
            } catch {
                switch error {
                case .leaseLost, .wrongState, .duplicate, .invalid: break
                case .noSuchJob, .notMigrated, .newerSchema, .formerSchema, .unavailable: throw error
                }
            }
        }
        func look() throws -> [Job] {
            _ = try queue.status()
            _ = try queue.nextDue()
            _ = try queue.poisoned(limit: 99)
            _ = try queue.isPoisoned(SHA(3).digest, build: "b")
            for state in JobState.allCases { _ = try queue.list(JobFilter(state: state, limit: 999)) }
            let jobs = try queue.list(JobFilter(limit: 999))
            for job in jobs { _ = try queue.show(job.id) }
            return jobs
        }
        func work() throws {
            for number in 0..<200 {
                let claimed = try queue.claim(upTo: 1, by: "worker \(number % 3)", for: .seconds(30))
                for job in claimed {
                    try allowing { () throws(QueueError) in try queue.recordAttempt(job.token) }
                    try allowing { () throws(QueueError) in try queue.heartbeat(job.token, for: .seconds(30)) }
                    try allowing { () throws(QueueError) in try queue.complete(job.token, JobOutcome()) }
                }
                if claimed.isEmpty { break }
            }
        }
        _ = try look()
        try work()
        for id in good { #expect(try queue.show(id).job.state == .done) }
        try queue.reclaim(from: "victims")
        clock.advance(.seconds(40))
        try queue.reclaimExpired()
        try queue.prune(olderThan: .seconds(3600), keepingAtMost: 1000)
        for number in 0..<9 { try queue.enqueue(.of("/waiting\(number)")) }
        try queue.recordCrash(of: SHA(2).digest, build: "b")
        try work()
        for job in try look() {
            try allowing { () throws(QueueError) in try queue.requeue(job.id) }
            if job.id.rawValue.isMultiple(of: 2) {
                try allowing { () throws(QueueError) in try queue.cancel(job.id) }
            }
        }
        try work()
        try queue.resume(.renditions)
        try queue.prune(olderThan: .zero, keepingAtMost: 2)
        _ = try look()
    }

    @Test(
        "With any value in any column of any table every operation works, and the good jobs are done",
        arguments: [
            "queue_job", "queue_attempt", "queue_count", "queue_paused", "queue_poison", "queue_turn",
            "queue_reservation",
        ])
    func everyColumn(table: String) throws {
        let columns = try { () throws -> [String] in
            let probe = "\(folder.path)/probe.sqlite"
            try SQLiteQueue.migrate(path: probe)
            return try OtherProgram.sqlite(probe, "SELECT name FROM pragma_table_info('\(table)');")
        }()
        #expect(columns.count > 0)
        for column in columns where !(table == "queue_job" && column == "id") {
            let fresh = UnreadableRowsTests()
            let (queue, good) = try fresh.makeQueue(victims: Self.nonsense.count, good: 5)
            if ["queue_turn", "queue_reservation"].contains(table) { try fresh.fill(table) }
            try fresh.spoil(table, column)
            var jobs: [Job] = []
            do {
                jobs = try queue.list(JobFilter(limit: 999))
                try fresh.useEverything(queue, good: good)
            } catch {
                Issue.record("\(table).\(column): \(error)")
            }
            // Unreadable jobs are no longer waiting or in progress.
            for job in jobs where !job.unreadable.isEmpty && job.state.isUnfinished {
                let now = try? queue.show(job.id).job
                let isOver = now.map { $0.unreadable.isEmpty || !$0.state.isUnfinished } ?? true
                #expect(isOver, "\(table).\(column): \(job.unreadable.text)")
            }
            withExtendedLifetime(fresh) {}
        }
    }

    private func fill(_ table: String) throws {
        let values = (0..<Self.nonsense.count).map {
            table == "queue_turn" ? "(\($0), \($0))" : "('w\($0)', \($0), \(clock.now.milliseconds))"
        }
        try OtherProgram.sqlite(path, "INSERT OR REPLACE INTO \(table) VALUES \(values.joined(separator: ", "));")
    }

    @Test(
        "An unreadable waiting job becomes a dead letter that names the damaged columns; the others go on",
        arguments: [
            ("kind", "'No Kind!'", "“No Kind!”"), ("source", "''", "“”"), ("digest", "'abc'", "“abc”"),
            ("recipes", "'[\"1 grid'", "“[\"1 grid”"), ("recipes", "'[\"9 new\"]'", "another version"),
            ("source", "CAST(x'2f61ff' AS TEXT)", "3 bytes that are not text"), ("failures", "-4", "the number -4"),
            ("priority", "77", "the number 77"), ("not_before", "'soon'", "“soon”"), ("turn", "'soon'", "“soon”"),
            ("worker_deaths", "x'00'", "1 bytes"),
        ])
    func deadLetter(column: String, value: String, words: String) throws {
        let (queue, good) = try makeQueue(victims: 0, good: 2)
        let bad = try queue.enqueue(.of("/bad", priority: .interactive)).id
        try OtherProgram.sqlite(
            path, "PRAGMA ignore_check_constraints = ON; UPDATE queue_job SET \(column) = \(value) WHERE id = \(bad);")
        let claimed = try queue.claim(upTo: 9, by: "w", for: .seconds(30))
        #expect(claimed.map(\.job.id) == good)
        // A worker's pruning finds unreadable jobs that no claim would find.
        try queue.prune(olderThan: .seconds(3600), keepingAtMost: 9)
        let job = try queue.show(bad).job
        #expect(job.state == .dead && job.finished == clock.now)
        #expect(job.lastFailure?.detail.contains("column \(column) holds") == true, "\(job.lastFailure!)")
        #expect(job.lastFailure?.detail.contains(words) == true, "\(job.lastFailure!)")
        let status = try queue.status()
        #expect(status.jobCount(.dead) == 1 && status.jobCount(.available) == 0 && status.jobCount(.leased) == 2)
        // Queueing the file again makes another job.
        #expect(try !queue.enqueue(.of("/bad")).isDuplicate)
    }
}
