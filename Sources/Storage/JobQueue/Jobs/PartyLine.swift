internal import Database

/// The line in which jobs wait, and how parties take turns in it.
///
/// A job's `turn` is its place in the line of its priority: a moment, usually the one from which it could be claimed.
/// Claims follow the turns. The first of a party's waiting jobs stands in the line; each further job stands `span`
/// behind the previous one. When a job of the party is claimed, the party's next job moves up to a little behind the
/// line's end. A retry stands at the end of its backoff, outside this chain.
///
/// So a new job's turn depends only on its own party's jobs: adding a job reads no rows of other parties, and no claim
/// moves them. Two changes that do not see each other can only put a job of their own party too far back, by `span`
/// each, or let two of its jobs stand in the line. While a job waits in a line, its turn only becomes earlier, and
/// every moment passes. So no job waits forever.
enum PartyLine {
    /// The distance between a party's jobs that have not moved up. It is longer than a job usually takes.
    static let span: Duration = .seconds(60)
    /// A party with a running job yields to jobs that others add within this time.
    static let courtesy: Duration = .seconds(10)

    /// The turn to which a party's next job moves up when a job with the turn `claimed` begins.
    ///
    /// Each of several parties gets one job per round, even within one millisecond. A job that had not moved up holds
    /// back no other.
    static func turn(after claimed: QueueInstant, at now: QueueInstant) -> QueueInstant {
        // Jobs that were added in this millisecond come before it.
        let end = now + courtesy + .milliseconds(1)
        return claimed < now + span / 2 ? max(end, claimed + .milliseconds(1)) : end
    }

    /// The expression for the turn of a party's new job: behind its waiting jobs. If none waits but one runs, a little
    /// behind the line.
    ///
    /// - Parameters:
    ///   - job: the alias of a table that has the new job's `party` and `priority`.
    ///   - number: the number of jobs of that party and priority that the statement adds before it.
    ///   - now: the current time.
    static func newTurn(of job: String, number: String, at now: String) -> String {
        let known = "FROM queue_job AS known WHERE known.party = \(job).party AND known.priority = \(job).priority"
        let span = milliseconds(span)
        return """
            \(number) * \(span) + coalesce(
                (SELECT CASE WHEN max(turn) + \(span) > \(now) THEN max(turn) + \(span) ELSE \(now) END
                    \(known) AND \(isInChain) AND turn < \(horizon.milliseconds) HAVING max(turn) IS NOT NULL),
                (SELECT \(now) + \(milliseconds(courtesy)) WHERE EXISTS (SELECT 1 \(known) AND state = 'leased')),
                \(now))
            """
    }

    /// Moves the next job of a party (`?1`) and priority (`?2`) up to a turn (`?3`), if the job is behind it. Jobs that
    /// other transactions hold are skipped.
    static func movingUp(_ dialect: SQLDialect) -> String {
        """
        UPDATE queue_job SET turn = ?3 WHERE turn > ?3 AND id = (
            SELECT id FROM queue_job WHERE party = ?1 AND priority = ?2 AND \(isInChain)
            ORDER BY turn, id LIMIT 1 \(dialect.skippingLocked))
        """
    }

    /// Counts a party's (`?1`) unfinished jobs of a priority (`?2`) and kind (`?3`), up to `?4`.
    static let count = """
        SELECT count(*) FROM (
            SELECT 1 FROM queue_job WHERE party = ?1 AND priority = ?2 AND kind = ?3 LIMIT ?4) AS unfinished
        """

    /// Whether a party's job is not a retry.
    private static let isInChain = "state = 'available' AND failures = 0"

    /// A turn this close to the end of time is damage, and no turn is placed behind it.
    private static let horizon = QueueInstant.latest - .seconds(366 * 86_400)

    private static func milliseconds(_ duration: Duration) -> Int64 {
        (QueueInstant(milliseconds: 0) + duration).milliseconds
    }
}
