internal import Database
public import Media

/// Status, due times and poisoned contents.
extension PostgreSQLQueue {
    /// Reads the counts that triggers maintain, so a large queue costs little more than a small one.
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
                oldestWaiting: try session.integer(
                    Self.oldest, [now.milliseconds]
                ).map(QueueInstant.init(milliseconds:)),
                donePerMinute: Double(done ?? 0) / Double(QueueStatus.rateMinutes))
        }
    }

    /// Waiting and leased jobs are stored as one count.
    private static func counts(_ session: PostgreSQLSession) throws -> [QueueStatus.Count] {
        let counts = try session.all(
            """
            WITH kept AS (
                SELECT kind, state, CAST(sum(jobs) AS bigint) AS jobs FROM queue_count GROUP BY kind, state
            ), leased AS (
                SELECT kind, count(*) AS jobs FROM queue_job WHERE lease_deadline IS NOT NULL GROUP BY kind
            )
            SELECT kind, state, jobs FROM kept WHERE state <> 'available'
            UNION ALL SELECT kind, 'leased', jobs FROM leased
            UNION ALL SELECT kind, 'available', kept.jobs - coalesce(leased.jobs, 0)
                FROM kept LEFT JOIN leased USING (kind) WHERE state = 'available'
            """
        ) { row -> QueueStatus.Count? in
            guard let kind = row.text(0).flatMap(JobKind.init(rawValue:)),
                let state = row.text(1).flatMap(JobState.init(rawValue:)), let count = row.integer(2), count > 0
            else { return nil }
            return QueueStatus.Count(kind: kind, state: state, jobCount: Int(count))
        }
        return counts.inOrder
    }

    /// The earliest moment in a column, over the jobs that stand first in their lines. One seek finds each, by kind and
    /// priority.
    ///
    /// - Parameter ranges: each contributes its first job.
    private static func earliest(_ column: String, _ ranges: [String], of kinds: String) -> String {
        let first = ranges.map { range in
            """
            (SELECT \(column) AS moment FROM queue_job WHERE state = 'available' AND kind = kinds.kind
                AND queue_job.priority = priorities.priority AND \(range) ORDER BY turn LIMIT 1)
            """
        }
        return """
            SELECT min(job.moment) FROM (\(kinds)) AS kinds CROSS JOIN generate_series(0, 2) AS priorities (priority)
            CROSS JOIN LATERAL (\(first.joined(separator: " UNION ALL "))) AS job
            """
    }

    private static let oldest = earliest(
        "not_before", ["turn <= ?1 AND not_before <= ?1", "turn > not_before AND turn > ?1 AND not_before <= ?1"],
        of: JobStatements.waitingKinds)

    /// Seeks the earliest moment in the indexes of deadlines and waiting jobs, with one statement: each idle worker
    /// asks for it repeatedly.
    public func nextDue() throws(QueueError) -> QueueInstant? {
        let now = surroundings.now
        let policy = surroundings.policy
        return try run(PostgreSQLDatabase.Statement(Self.nextDue, [now.milliseconds])) { row -> QueueInstant? in
            let moments = [0, 1].compactMap { row.integer($0) }.map(QueueInstant.init(milliseconds:))
            let changes = (row.text(2).map(ClaimTransaction.reservations) ?? []).compactMap {
                $0.nextChange(after: now, policy)
            }
            return (moments + changes).min()
        } ?? nil
    }

    /// The turn of a delayed job is the moment at which its delay ends.
    private static let nextDue = """
        SELECT (SELECT lease_deadline FROM queue_job WHERE lease_deadline IS NOT NULL ORDER BY lease_deadline LIMIT 1),
            (\(earliest("turn", ["turn > ?1"], of: JobStatements.claimableKinds))),
            (SELECT json_agg(json_build_array(worker, job, made)) FROM queue_reservation)
        """

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
