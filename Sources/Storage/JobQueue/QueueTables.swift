public import Database

/// The queue's tables in a database, which may hold those of other modules too.
public enum QueueTables {
    /// The tables, which other modules' may refer to.
    package static var schema: SQLSchema { QueueSchema.schema }

    /// Brings the tables to this program's version, and makes them where there are none.
    ///
    /// - Returns: the tables' version before, 0 where there were none, and now.
    @discardableResult
    public static func migrate(_ database: any SQLDatabase) throws(QueueError) -> (before: Int, after: Int) {
        do {
            let before = try database.migration { session in try install(in: session) }
            return (before, schema.version)
        } catch {
            throw QueueError(error)
        }
    }

    /// The same inside the caller's transaction.
    @discardableResult
    package static func install(in session: any SQLSession) throws -> Int {
        try QueueSchema.requireUTF8(session)
        return try schema.install(in: session)
    }

    /// Opens a queue that `migrate` has prepared.
    ///
    /// - Throws: `notMigrated`, `newerSchema` or another fault of the database, which stays as it was.
    public static func open(_ database: any SQLDatabase) throws(QueueError) -> any JobQueue {
        switch database {
        case let database as SQLiteDatabase: try SQLiteQueue(database)
        case let database as PostgreSQLDatabase: try PostgreSQLQueue(database)
        default: preconditionFailure("a queue lies in SQLite or PostgreSQL")
        }
    }

    /// Adds jobs inside the caller's transaction, in the requests' order: they exist once the caller commits, or not at all.
    ///
    /// After an error the caller must roll back. Workers that wait learn of the jobs by the signal `jobs`, else when they look by
    /// themselves.
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

    /// Adds a job inside the caller's transaction, unless its party has `limit` unfinished jobs of its kind and priority already.
    ///
    /// - Returns: `nil` if it has, and none of all unfinished jobs equals the request. Callers beside each other may pass the limit by one
    ///   job each.
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
    /// - Returns: whether the job was waiting, so that its renditions are made by nobody now.
    package static func forget(_ id: JobID, in session: any SQLSession) throws -> Bool {
        let state = try session.text(
            "DELETE FROM queue_job WHERE id = ? AND state <> 'leased' RETURNING state", [id.rawValue])
        return state == JobState.available.rawValue
    }

    /// Takes the party from its unfinished jobs inside the caller's transaction. Jobs that have ended have none.
    package static func forget(party: String, in session: any SQLSession) throws {
        try session.execute("UPDATE queue_job SET party = NULL WHERE party = ?", [party])
    }
}

/// The clock that all programs over a database share.
struct DatabaseClock: QueueClock {
    let database: any SQLDatabase

    var now: QueueInstant { QueueInstant(milliseconds: database.microseconds / 1000) }
}
