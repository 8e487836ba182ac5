internal import JobQueue
internal import PostgreSQL
internal import SQL
internal import SQLite

/// The queue whose tables lie beside those of the searches, so that a search and its job are one transaction.
enum SearchQueue: Sendable {
    /// In an SQLite file.
    case file(path: String)
    /// On a PostgreSQL server, with the process's notifier.
    case server(Notifier)

    /// Adds the job of a search inside the caller's transaction.
    ///
    /// - Parameter path: the object of the file, by which the worker finds the search.
    /// - Returns: the job's number.
    func enqueue(path: String, in session: any SQLSession) throws -> Int64 {
        // Equal files of two persons are two jobs: the digest is left out. Somebody waits for the matches, and must not stand behind another
        // person's uploads; how many searches anybody begins is bounded.
        let request = JobRequest(kind: .resume, source: .object(path), recipes: [], priority: .interactive)
        switch session {
        case let session as SQLiteSession:
            return try SQLiteQueue.enqueue([request], in: session.database)[0].id.rawValue
        case let session as PostgreSQLSession:
            let milliseconds = try session.integer("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
            let now = QueueInstant(milliseconds: milliseconds ?? 0)
            return try PostgreSQLQueue.enqueue([request], in: session, at: now)[0].id.rawValue
        default: preconditionFailure("searches lie in SQLite or PostgreSQL")
        }
    }

    /// Deletes a job inside the caller's transaction, unless a worker has it in work.
    func forget(_ job: Int64, in session: any SQLSession) throws {
        switch session {
        case let session as SQLiteSession: _ = try SQLiteQueue.forget(JobID(rawValue: job), in: session.database)
        case let session as PostgreSQLSession: _ = try PostgreSQLQueue.forget(JobID(rawValue: job), in: session)
        default: preconditionFailure("searches lie in SQLite or PostgreSQL")
        }
    }

    /// Wakes workers; called after the commit.
    func announce() {
        switch self {
        case .file(let path): SQLiteQueue.announce(path: path)
        case .server(let notifier): notifier.send(PostgreSQLQueue.arrivals)
        }
    }
}
