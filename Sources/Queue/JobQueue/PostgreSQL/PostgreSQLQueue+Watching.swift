public import Media
internal import PostgreSQL
internal import SQL

/// Status, due times and poisoned contents.
extension PostgreSQLQueue {
    /// Reads the counts that triggers keep, so that a large queue costs little more than a small one.
    public func status() throws(QueueError) -> QueueStatus {
        let now = surroundings.now
        return try read { statements in
            let session = statements.session
            let since = now - .seconds(60 * QueueStatus.rateMinutes)
            let done = try session.integer(
                "SELECT count(*) FROM queue_job WHERE state = 'done' AND finished > ?", [since.milliseconds])
            let paused = try session.all("SELECT kind FROM queue_paused") {
                $0.text(0).flatMap(JobKind.init(rawValue:))
            }
            return QueueStatus(
                counts: try Self.counts(session), pausedKinds: Set(paused),
                oldestWaiting: try Self.earliest("not_before <= ?", now, of: JobStatements.waitingKinds, session),
                donePerMinute: Double(done ?? 0) / Double(QueueStatus.rateMinutes))
        }
    }

    private static func counts(_ session: PostgreSQLSession) throws -> [QueueStatus.Count] {
        let counts = try session.all(
            "SELECT kind, state, CAST(sum(jobs) AS bigint) FROM queue_count GROUP BY kind, state HAVING sum(jobs) > 0"
        ) { row -> QueueStatus.Count? in
            guard let kind = row.text(0).flatMap(JobKind.init(rawValue:)),
                let state = row.text(1).flatMap(JobState.init(rawValue:)), let count = row.integer(2)
            else { return nil }
            return QueueStatus.Count(kind: kind, state: state, jobCount: Int(count))
        }
        return counts.inOrder
    }

    /// The earliest not-before time of waiting jobs, by one seek for each kind and priority.
    private static func earliest(
        _ condition: String, _ now: QueueInstant, of kinds: String, _ session: PostgreSQLSession
    ) throws -> QueueInstant? {
        try session.integer(
            """
            SELECT min(job.not_before) FROM (\(kinds)) AS kinds CROSS JOIN generate_series(0, 2) AS priorities (priority)
            CROSS JOIN LATERAL (
                SELECT not_before FROM queue_job WHERE state = 'available' AND kind = kinds.kind
                    AND queue_job.priority = priorities.priority AND \(condition)
                ORDER BY not_before LIMIT 1) AS job
            """, [now.milliseconds]
        ).map(QueueInstant.init(milliseconds:))
    }

    /// Seeks the earliest moment in the indexes of deadlines and waiting jobs.
    public func nextDue() throws(QueueError) -> QueueInstant? {
        let now = surroundings.now
        let policy = surroundings.policy
        return try read { statements in
            let session = statements.session
            let deadline = try session.integer(
                "SELECT min(lease_deadline) FROM queue_job WHERE lease_deadline IS NOT NULL"
            ).map(QueueInstant.init(milliseconds:))
            let due = try Self.earliest("not_before > ?", now, of: JobStatements.claimableKinds, session)
            let changes = try session.all("SELECT job, made FROM queue_reservation") { row in
                Reservation(
                    worker: "", job: JobID(rawValue: row.integer(0) ?? 0),
                    made: QueueInstant(milliseconds: row.integer(1) ?? .max)
                ).nextChange(after: now, policy)
            }
            return ([deadline, due].compactMap { $0 } + changes).min()
        }
    }

    /// Adds to the content's count in one statement.
    @discardableResult
    public func recordCrash(of digest: Digest, build: String) throws(QueueError) -> Bool {
        let now = surroundings.now
        let limit = surroundings.policy.crashLimit
        return try write { statements in
            let crashes = try statements.session.integer(
                """
                INSERT INTO queue_poison AS known VALUES (?, ?, 1, ?) ON CONFLICT (digest) DO UPDATE SET
                    crashes = CASE WHEN known.build = excluded.build THEN known.crashes + 1 ELSE 1 END,
                    build = excluded.build, last_crash = excluded.last_crash
                RETURNING crashes
                """, [digest.hex, build, now.milliseconds])
            return crashes ?? 0 >= Int64(limit)
        }
    }

    /// Looks the content up by its digest.
    public func isPoisoned(_ digest: Digest, build: String) throws(QueueError) -> Bool {
        let limit = surroundings.policy.crashLimit
        return try read { statements in
            try statements.session.hasRow(
                "SELECT 1 FROM queue_poison WHERE crashes >= ? AND digest = ? AND build = ?",
                [limit, digest.hex, build])
        }
    }

    /// Lists contents whose crashes reach the policy's limit.
    public func poisoned(limit: Int) throws(QueueError) -> [PoisonedContent] {
        let crashLimit = surroundings.policy.crashLimit
        return try read { statements in
            try statements.session.all(
                """
                SELECT digest, build, crashes, last_crash FROM queue_poison WHERE crashes >= ?
                ORDER BY last_crash DESC LIMIT ?
                """, [crashLimit, max(0, limit)]
            ) { row in
                guard let digest = row.text(0).flatMap({ Digest(hex: $0) }), let build = row.text(1),
                    let count = row.integer(2), let last = row.integer(3)
                else { return nil }
                return PoisonedContent(
                    digest: digest, build: build, crashCount: Int(count), lastCrash: QueueInstant(milliseconds: last))
            }
        }
    }
}
