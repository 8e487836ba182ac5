package import GRDB
internal import Linux

/// The queue's part in a transaction of another module, whose tables lie in the same file.
///
/// The owner of the connection begins and ends the transaction, and calls `announce` after the commit. A job is as durable as
/// that transaction: with `synchronous=FULL` it is on the disk once the transaction is committed.
extension SQLiteQueue {
    /// Opens a connection that may change a new file's journal to WAL.
    ///
    /// Where two connections change it at once, each would wait for the other's lock. SQLite fails one of them at once then,
    /// however long it may wait otherwise; that one tries again here.
    package static func opening<Connection>(
        within wait: Duration, _ open: () throws -> Connection
    ) throws -> Connection {
        let end = Time.monotonic + wait
        while true {
            do {
                return try open()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && Time.monotonic < end {
                Time.sleep(.milliseconds(5))
            }
        }
    }

    /// Makes the queue's tables, or brings them to this program's version, inside the caller's transaction.
    ///
    /// The transaction must be the only one that writes (`BEGIN IMMEDIATE`).
    /// - Returns: the tables' version before, 0 where there were none.
    @discardableResult
    package static func migrate(
        in database: Database, at now: QueueInstant = WallClock().now
    ) throws(QueueError) -> Int {
        precondition(database.isInsideTransaction, "the queue's tables are migrated inside a transaction")
        do {
            return try QueueSchema.migrate(database, at: now)
        } catch {
            throw QueueError(error)
        }
    }

    /// Adds jobs inside the caller's transaction, in the requests' order: they exist once the caller commits, or not at all.
    ///
    /// After an error the caller must roll back. Waiting workers learn of the jobs by `announce`, else only when their sleep
    /// ends.
    /// - Parameter database: a connection with the write lock, to a file that `migrate` has prepared.
    @discardableResult
    package static func enqueue(
        _ requests: [JobRequest], in database: Database, at now: QueueInstant = WallClock().now
    ) throws(QueueError) -> [Enqueued] {
        precondition(database.isInsideTransaction, "jobs are enqueued inside a transaction")
        for request in requests { try request.validate() }
        do {
            try QueueSchema.check(database)
            let table = JobTable(database: database)
            return try requests.map { request in try enqueue(request, in: table, at: now) }
        } catch {
            throw QueueError(error)
        }
    }

    /// Deletes a job with its attempts inside the caller's transaction, unless a worker has it in work.
    ///
    /// - Returns: whether the job was waiting, so that its renditions are made by nobody now.
    package static func forget(_ id: JobID, in database: Database) throws(QueueError) -> Bool {
        precondition(database.isInsideTransaction, "jobs are forgotten inside a transaction")
        do {
            let state = try DatabaseValue.fetchOne(
                database.cachedStatement(
                    sql: "DELETE FROM queue_job WHERE id = ? AND state <> 'leased' RETURNING state"),
                arguments: [id.rawValue])
            return state.flatMap(SQLiteRow.text) == JobState.available.rawValue
        } catch {
            throw QueueError(error)
        }
    }

    /// Wakes the workers, of all processes, that wait for a job of the queue at `path`. Call it after the commit.
    ///
    /// A failure is no error: waiting workers look again when their sleep ends.
    package static func announce(path: String) {
        try? FileSignal(path: path + wakeEnding).send()
    }

    /// The file beside the queue at `path` by which the ends of jobs are signalled (`FileSignal`).
    package static func changesPath(of path: String) -> String { path + changesEnding }

    /// The files of signals beside a queue.
    static let wakeEnding = "-wake"
    private static let changesEnding = "-changes"
    /// What follows the queue's path in the names of those files.
    package static let signalEndings = [wakeEnding, changesEnding]
}
