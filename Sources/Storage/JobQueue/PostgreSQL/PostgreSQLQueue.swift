public import Database
internal import Linux

/// A queue in a PostgreSQL database: safe for several threads, processes and hosts.
///
/// What `enqueue` and a person's commands write is on the server's disk on return. Claims, heartbeats and ends survive the death of every
/// process of ours; a crash of the server's machine may undo the last of them (`synchronous_commit = off`), which repeats work and
/// loses none. Times are the server's, whatever the hosts' clocks say.
public final class PostgreSQLQueue: JobQueue {
    let surroundings: QueueSurroundings
    let memory = ClaimMemory()
    private let database: PostgreSQLDatabase

    /// Opens a queue that `QueueTables.migrate` has prepared.
    ///
    /// - Parameter surroundings: `nil` for the usual policy and the database's clock.
    /// - Throws: `notMigrated`, `newerSchema`, or `unavailable`.
    public init(_ database: PostgreSQLDatabase, _ surroundings: QueueSurroundings? = nil) throws(QueueError) {
        self.database = database
        self.surroundings = surroundings ?? QueueSurroundings(clock: DatabaseClock(database: database))
        do { try database.require(QueueTables.schema) } catch { throw QueueError(error) }
    }

    /// Runs `body` in a transaction of changes.
    func write<Answer>(
        _ kind: SQLTransaction.Kind = .fast, _ body: (JobStatements) throws -> Answer
    ) throws(QueueError) -> Answer {
        do {
            return try database.write([], kind) { session in try body(JobStatements(session)) }
        } catch {
            throw QueueError(error)
        }
    }

    /// Runs `body` over one state of the database.
    func read<Answer>(_ body: (JobStatements) throws -> Answer) throws(QueueError) -> Answer {
        do {
            return try database.read { session in try body(JobStatements(session)) }
        } catch {
            throw QueueError(error)
        }
    }

    /// Runs `body` in a transaction, and again where the answer to its commit was lost: it looks first for what it did.
    func writeRepeatably<Answer>(_ body: (JobStatements) throws -> Answer) throws(QueueError) -> Answer {
        do {
            return try database.repeatableTransaction { session in try body(JobStatements(session)) }
        } catch {
            throw QueueError(error)
        }
    }

    /// Runs a statement as a transaction of its own, in one round trip.
    ///
    /// - Returns: what `body` makes of its first row.
    func run<Answer>(
        _ statement: PostgreSQLDatabase.Statement, _ body: (any SQLRow) throws -> Answer
    ) throws(QueueError) -> Answer? {
        do {
            return try database.fastTransaction(of: statement, body)
        } catch {
            throw QueueError(error)
        }
    }

    /// Wakes waiting workers of all processes, once what this thread does is committed.
    func announce() { database.announce(.jobs) }

    /// Tells listeners that a job has ended.
    func announceEnd() { database.announce(.changes) }

    /// Makes a waiter that any process wakes.
    public func makeWaiter() throws(QueueError) -> any JobWaiter {
        do {
            return SignalWaiter(
                queue: self, arrivals: try database.makeListener(.jobs), database: database, clock: surroundings.clock)
        } catch {
            throw QueueError(error)
        }
    }
}

extension JobStatements {
    /// The queue's statements inside one of the server's transactions.
    init(_ session: any SQLSession) { self.init(session: session as! PostgreSQLSession) }
}
