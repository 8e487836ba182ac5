public import Database

/// The queue's tables in a database, which may also hold tables of other modules.
public enum QueueTables {
    /// The tables; tables of other modules may refer to them.
    package static var schema: SQLSchema { QueueSchema.schema }

    /// Upgrades the tables to this program's version, and creates missing tables.
    ///
    /// - Returns: the tables' version before (0 if there were none) and now.
    @discardableResult
    public static func migrate(_ database: any SQLDatabase) throws(QueueError) -> (before: Int, after: Int) {
        do {
            let before = try database.migration { session in try install(in: session) }
            return (before, schema.version)
        } catch {
            throw QueueError(error)
        }
    }

    /// Does the same inside the caller's transaction.
    @discardableResult
    package static func install(in session: any SQLSession) throws -> Int {
        try QueueSchema.requireUTF8(session)
        return try schema.install(in: session)
    }

    /// Opens a queue that `migrate` has prepared.
    ///
    /// - Throws: `notMigrated`, `newerSchema` or another fault of the database, which remains unchanged.
    public static func open(_ database: any SQLDatabase) throws(QueueError) -> any JobQueue {
        switch database {
        case let database as SQLiteDatabase: try SQLiteQueue(database)
        case let database as PostgreSQLDatabase: try PostgreSQLQueue(database)
        default: preconditionFailure("a queue lies in SQLite or PostgreSQL")
        }
    }

    /// Adds jobs inside the caller's transaction, in the order of the requests. They exist only once the caller
    /// commits.
    ///
    /// After an error, the caller must roll back. The signal `jobs` tells waiting workers of the jobs; without it, they
    /// find the jobs when they next look.
    @discardableResult
    package static func enqueue(
        _ requests: [JobRequest], in session: any SQLSession, at now: QueueInstant
    ) throws -> [Enqueued] {
        for request in requests { try request.validate() }
        switch session {
        case let session as SQLiteSession: return try SQLiteQueue.enqueue(requests, in: session, at: now)
        case let session as PostgreSQLSession: return try PostgreSQLQueue.enqueue(requests, in: session, at: now)
        default: preconditionFailure("a queue lies in SQLite or PostgreSQL")
        }
    }

    /// Adds a job inside the caller's transaction, unless its party already has `limit` unfinished jobs of its kind and
    /// priority.
    ///
    /// - Returns: `nil` if the party is at its limit and no unfinished job equals the request. Concurrent callers may
    ///   exceed the limit by one job each.
    package static func enqueue(
        _ request: JobRequest, upTo limit: Int, in session: any SQLSession, at now: QueueInstant
    ) throws -> Enqueued? {
        let count = try session.integer(
            PartyLine.count, [request.party, request.priority.rawValue, request.kind.rawValue, limit])
        if count ?? 0 >= limit {
            let isThere = try session.hasRow(
                "SELECT 1 FROM queue_job WHERE identity = ? AND state IN ('available', 'leased')",
                [request.identity.text])
            if !isThere { return nil }
        }
        return try enqueue([request], in: session, at: now)[0]
    }

    /// Deletes a job with its attempts inside the caller's transaction, unless a worker is running it.
    ///
    /// - Returns: whether the job was waiting. If so, no worker makes its renditions now.
    package static func forget(_ id: JobID, in session: any SQLSession) throws -> Bool {
        let state = try session.text(
            "DELETE FROM queue_job WHERE id = ? AND state <> 'leased' RETURNING state", [id.rawValue])
        return state == JobState.available.rawValue
    }

    /// Removes the party from its unfinished jobs inside the caller's transaction. Jobs that have ended have no party.
    package static func forget(party: String, in session: any SQLSession) throws {
        try session.execute("UPDATE queue_job SET party = NULL WHERE party = ?", [party])
    }
}

/// The clock that all programs of a database share.
struct DatabaseClock: QueueClock {
    let database: any SQLDatabase

    var now: QueueInstant { QueueInstant(milliseconds: database.microseconds / 1000) }
}
