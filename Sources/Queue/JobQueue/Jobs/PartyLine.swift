/// The line in which jobs wait, and how parties take turns in it.
///
/// A job's `turn` is its place in the line of its priority: a moment, usually the one from which it could be claimed. Claims follow the
/// turns. Of a party's waiting jobs the first one stands in the line; each further one stands `span` behind the one before it. When a
/// job of the party is claimed, the party's next one moves up: to the line's end, and a little behind it.
///
/// So a new job's turn follows from its own party's jobs alone: whoever adds a job reads no rows of others, and no claim moves them.
/// Two changes that do not see each other can only put a job of their own party too far back, by `span` each, or let two stand in the
/// line. Turns of waiting jobs only become earlier, and every moment passes: no job waits for ever.
enum PartyLine {
    /// How far a party's jobs that have not moved up stand behind each other: longer than a job usually takes.
    static let span: Duration = .seconds(60)
    /// A party with a running job lets pass what others add within this time.
    static let courtesy: Duration = .seconds(10)

    /// `span` and `courtesy` in milliseconds.
    static let (spanNumber, courtesyNumber) = (milliseconds(span), milliseconds(courtesy))

    private static func milliseconds(_ duration: Duration) -> Int64 {
        (QueueInstant(milliseconds: 0) + duration).milliseconds
    }

    /// The turn of a party's new job that can be claimed at once.
    ///
    /// - Parameters:
    ///   - last: the latest turn of its waiting jobs that are due; `nil` if there are none.
    ///   - isRunning: whether a worker has one of its jobs.
    static func turn(behind last: QueueInstant?, isRunning: Bool, at now: QueueInstant) -> QueueInstant {
        if let last { return min(max(now, last + span), .latest) }
        return isRunning ? now + courtesy : now
    }

    /// The turn to which a party's next job moves up when a job with the turn `claimed` begins.
    ///
    /// Of several parties each goes once around, even within one millisecond. A job that had not moved up holds back none.
    static func turn(after claimed: QueueInstant, at now: QueueInstant) -> QueueInstant {
        // What was added in this millisecond comes before it.
        let end = now + courtesy + .milliseconds(1)
        return claimed < now + span / 2 ? max(end, claimed + .milliseconds(1)) : end
    }

    /// The latest turn of a party's (`?1`) due waiting jobs of a priority (`?2`) at a moment (`?3`), and whether it has running ones.
    static let place = """
        SELECT (SELECT max(turn) FROM queue_job WHERE party = ?1 AND priority = ?2 AND state = 'available'
                AND finished IS NULL AND not_before <= ?3),
            EXISTS (SELECT 1 FROM queue_job WHERE party = ?1 AND priority = ?2 AND state = 'leased' AND finished IS NULL)
        """

    /// Moves the next due job of a party (`?1`) and priority (`?2`) up to a turn (`?3`) at a moment (`?4`), if it stands behind it.
    ///
    /// - Parameter lock: passes over jobs that other transactions hold.
    static func movingUp(lock: String) -> String {
        """
        UPDATE queue_job SET turn = ?3 WHERE turn > ?3 AND id = (
            SELECT id FROM queue_job WHERE party = ?1 AND priority = ?2 AND state = 'available' AND finished IS NULL
                AND not_before <= ?4
            ORDER BY turn, id LIMIT 1 \(lock))
        """
    }

    /// Counts a party's (`?1`) unfinished jobs of a priority (`?2`), up to `?3`.
    static let count = """
        SELECT count(*) FROM (
            SELECT 1 FROM queue_job WHERE party = ?1 AND priority = ?2 AND finished IS NULL LIMIT ?3) AS unfinished
        """
}
