internal import GRDB
public import Media

/// Status, due times and poisoned contents.
extension SQLiteQueue {
    /// Reads the counts that triggers maintain, so a large queue costs no more than a small one.
    public func status() throws(QueueError) -> QueueStatus {
        let now = surroundings.now
        return try read { table in
            let database = table.database
            let since = now - .seconds(60 * QueueStatus.rateMinutes)
            // Without the hint, SQLite reads every done job through `queue_job_state`: 0.5 s for a million.
            let done = try Int.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT count(*) FROM queue_job INDEXED BY queue_job_done
                        WHERE state = 'done' AND finished > ? AND finished <= \(QueueInstant.latest.milliseconds)
                        """), arguments: [since.milliseconds])
            let paused = try DatabaseValue.fetchAll(database, sql: "SELECT kind FROM queue_paused")
            return QueueStatus(
                counts: try Self.counts(database),
                pausedKinds: Set(paused.compactMap { SQLiteRow.text($0).flatMap(JobKind.init(rawValue:)) }),
                oldestWaiting: try WaitingJobs(database: database).oldest(at: now),
                donePerMinute: Double(done ?? 0) / Double(QueueStatus.rateMinutes))
        }
    }

    private static func counts(_ database: Database) throws -> [QueueStatus.Count] {
        let rows = try Row.fetchAll(database, sql: "SELECT kind, state, jobs FROM queue_count WHERE jobs > 0")
        let counts = rows.compactMap { row -> QueueStatus.Count? in
            guard let kind = SQLiteRow.text(row[0]).flatMap(JobKind.init(rawValue:)),
                let state = SQLiteRow.text(row[1]).flatMap(JobState.init(rawValue:)),
                let count = SQLiteRow.integer(row[2]), count < 1 << 40
            else { return nil }
            return QueueStatus.Count(kind: kind, state: state, jobCount: Int(count))
        }
        return counts.inOrder
    }

    /// Seeks the earliest moment in the indexes of deadlines and waiting jobs.
    public func nextDue() throws(QueueError) -> QueueInstant? {
        let now = surroundings.now
        let policy = surroundings.policy
        return try read { table in
            let deadline = try DatabaseValue.fetchOne(
                table.database.cachedStatement(
                    sql: """
                        SELECT min(lease_deadline) FROM queue_job
                        WHERE lease_deadline IS NOT NULL AND typeof(lease_deadline) = 'integer'
                        """)
            ).flatMap(SQLiteRow.integer)
            let due = try WaitingJobs(database: table.database).nextDue(after: now)
            let changes = try table.reservations().compactMap { $0.nextChange(after: now, policy)?.milliseconds }
            return ([deadline, due].compactMap { $0 } + changes).min().map(QueueInstant.init(milliseconds:))
        }
    }

    /// Adds to the content's count in one statement.
    @discardableResult
    public func recordCrash(of digest: Digest, build: String) throws(QueueError) -> Bool {
        let now = surroundings.now
        let limit = surroundings.policy.crashLimit
        return try write { table in
            let crashes = try DatabaseValue.fetchOne(
                table.database.cachedStatement(
                    sql: """
                        INSERT INTO queue_poison VALUES (?, ?, 1, ?) ON CONFLICT DO UPDATE SET
                            crashes = CASE WHEN build = excluded.build AND crashes BETWEEN 0 AND 1000000
                                THEN crashes + 1 ELSE 1 END,
                            build = excluded.build, last_crash = excluded.last_crash
                        RETURNING crashes
                        """), arguments: [digest.hex, build, now.milliseconds])
            return crashes.flatMap(SQLiteRow.integer) ?? 0 >= Int64(limit)
        }
    }

    /// Looks the content up by its digest.
    public func isPoisoned(_ digest: Digest, build: String) throws(QueueError) -> Bool {
        let limit = surroundings.policy.crashLimit
        return try read { table in
            try Bool.fetchOne(
                table.database.cachedStatement(
                    sql: "SELECT crashes >= ? FROM queue_poison WHERE digest = ? AND build = ?"),
                arguments: [limit, digest.hex, build]) ?? false
        }
    }

    /// Lists contents whose crashes reach the policy's limit.
    public func poisoned(limit: Int) throws(QueueError) -> [PoisonedContent] {
        let crashLimit = surroundings.policy.crashLimit
        return try read { table in
            try Row.fetchAll(
                table.database,
                sql: """
                    SELECT digest, build, crashes, last_crash FROM queue_poison WHERE crashes >= ?
                    ORDER BY last_crash DESC LIMIT ?
                    """, arguments: [crashLimit, max(0, limit)]
            ).compactMap { row in
                guard let digest = SQLiteRow.text(row[0]).flatMap({ Digest(hex: $0) }),
                    let build = SQLiteRow.text(row[1]), let count = SQLiteRow.integer(row[2]),
                    let last = SQLiteRow.integer(row[3])
                else { return nil }
                return PoisonedContent(
                    digest: digest, build: build, crashCount: Int(count), lastCrash: QueueInstant(milliseconds: last))
            }
        }
    }
}
