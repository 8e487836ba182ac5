public import Database
internal import GRDB

/// A queue in an SQLite file: safe for several threads and several processes on one machine.
///
/// What `enqueue` and a person's commands write is on the disk on return. Claims, heartbeats and ends survive the death
/// of every process. A power failure may undo them (`synchronous=NORMAL`), which repeats work but loses none.
public final class SQLiteQueue: JobQueue {
    let surroundings: QueueSurroundings
    private let database: SQLiteDatabase

    /// Opens a queue that `QueueTables.migrate` has prepared.
    ///
    /// - Parameter surroundings: `nil` for the default policy and the database's clock.
    /// - Throws: `notMigrated`, `newerSchema` or another fault of the file, which remains unchanged.
    public init(_ database: SQLiteDatabase, _ surroundings: QueueSurroundings? = nil) throws(QueueError) {
        self.database = database
        self.surroundings = surroundings ?? QueueSurroundings(clock: DatabaseClock(database: database))
        do {
            try database.read { session in try QueueSchema.requireUTF8(session) }
            try database.require(QueueTables.schema)
        } catch {
            throw QueueError(error)
        }
    }

    /// Opens a queue in a file of its own.
    public convenience init(
        path: String, _ surroundings: QueueSurroundings? = nil,
        options: SQLiteDatabase.Options = SQLiteDatabase.Options(.command)
    ) throws(QueueError) {
        try self.init(try Self.file(path, options), surroundings)
    }

    private static func file(_ path: String, _ options: SQLiteDatabase.Options) throws(QueueError) -> SQLiteDatabase {
        do { return try SQLiteDatabase(path: path, options: options) } catch { throw QueueError(error) }
    }

    /// Creates the file if it is missing, and upgrades its tables to this program's version. Does nothing if they are
    /// current.
    ///
    /// - Returns: the tables' version before (0 if there were none) and now.
    @discardableResult
    public static func migrate(path: String) throws(QueueError) -> (before: Int, after: Int) {
        let database = try file(path, SQLiteDatabase.Options())
        let versions = try QueueTables.migrate(database)
        do { try database.close() } catch { throw QueueError(error) }
        return versions
    }

    /// Runs `body` in a transaction that holds the write lock from its beginning, so that no other process changes what
    /// it reads.
    func write<Answer>(
        _ kind: SQLTransaction.Kind = .fast, _ body: (JobTable) throws -> Answer
    ) throws(QueueError) -> Answer {
        do {
            return try database.write([], kind) { session in try JobTable.using(session, body) }
        } catch {
            throw QueueError(error)
        }
    }

    /// Runs `body` on one snapshot of the file.
    func read<Answer>(_ body: (JobTable) throws -> Answer) throws(QueueError) -> Answer {
        do {
            return try database.read { session in try JobTable.using(session, body) }
        } catch {
            throw QueueError(error)
        }
    }

    /// Adds jobs inside the caller's transaction.
    static func enqueue(_ requests: [JobRequest], in session: SQLiteSession, at now: QueueInstant) throws -> [Enqueued]
    {
        try JobTable.using(session) { table in
            try requests.map { request in try enqueue(request, in: table, at: now) }
        }
    }

    /// Wakes the waiting workers of all processes, once this thread's changes are committed.
    func announce() { database.announce(.jobs) }

    /// Tells listeners that a job has ended.
    func announceEnd() { database.announce(.changes) }

    /// Makes a waiter that processes on this machine can wake through a file beside the queue.
    public func makeWaiter() throws(QueueError) -> any JobWaiter {
        do {
            return SignalWaiter(
                queue: self, arrivals: try database.makeListener(.jobs), database: database, clock: surroundings.clock)
        } catch {
            throw QueueError(error)
        }
    }
}

extension JobTable {
    /// Runs `body` with the queue's tables, inside a transaction on the file.
    static func using<Answer>(_ session: any SQLSession, _ body: (JobTable) throws -> Answer) throws -> Answer {
        try (session as! SQLiteSession).withDatabase { database in try body(JobTable(database: database)) }
    }
}
