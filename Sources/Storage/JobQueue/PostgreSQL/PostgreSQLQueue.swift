public import Database
internal import Linux

/// A queue in a PostgreSQL database: safe for several threads, processes and hosts.
///
/// What `enqueue` and a person's commands write is on the server's disk on return. Claims, heartbeats and ends survive
/// the death of every client process. A crash of the server's machine may undo the last of them (`synchronous_commit =
/// off`), which repeats work but loses none. All times come from the server's clock, not from the hosts' clocks.
public final class PostgreSQLQueue: JobQueue {
    let surroundings: QueueSurroundings
    let memory = ClaimMemory()
    private let database: PostgreSQLDatabase

    /// Opens a queue that `QueueTables.migrate` has prepared.
    ///
    /// - Parameter surroundings: `nil` for the default policy and the database's clock.
    /// - Throws: `notMigrated`, `newerSchema`, or `unavailable`.
    public init(_ database: PostgreSQLDatabase, _ surroundings: QueueSurroundings? = nil) throws(QueueError) {
        self.database = database
        self.surroundings = surroundings ?? QueueSurroundings(clock: DatabaseClock(database: database))
        do { try database.require(QueueTables.schema) } catch { throw QueueError(error) }
    }

    /// Runs `body` in a write transaction.
    func write<Answer>(
        _ kind: SQLTransaction.Kind = .fast, _ body: (JobStatements) throws -> Answer
    ) throws(QueueError) -> Answer {
        do {
            return try database.write([], kind) { session in try body(JobStatements(session)) }
        } catch {
            throw QueueError(error)
        }
    }

    /// Runs `body` on one snapshot of the database.
    func read<Answer>(_ body: (JobStatements) throws -> Answer) throws(QueueError) -> Answer {
        do {
            return try database.read { session in try body(JobStatements(session)) }
        } catch {
            throw QueueError(error)
        }
    }

    /// Runs `body` in a transaction, and again if the answer to its commit was lost. So `body` first looks for what an
    /// earlier run did.
    func writeRepeatably<Answer>(_ body: (JobStatements) throws -> Answer) throws(QueueError) -> Answer {
        do {
            return try database.repeatableTransaction { session in try body(JobStatements(session)) }
        } catch {
            throw QueueError(error)
        }
    }

    /// Runs a statement as a transaction of its own, in one round trip.
    ///
    /// - Returns: what `body` makes from its first row.
    func run<Answer>(
        _ statement: PostgreSQLDatabase.Statement, _ body: (any SQLRow) throws -> Answer
    ) throws(QueueError) -> Answer? {
        do {
            return try database.fastTransaction(of: statement, body)
        } catch {
            throw QueueError(error)
        }
    }

    /// Wakes the waiting workers of all processes, once this thread's changes are committed.
    func announce() { database.announce(.jobs) }

    /// Tells listeners that a job has ended.
    func announceEnd() { database.announce(.changes) }

    /// Makes a waiter that any process can wake.
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
    /// The queue's statements inside a transaction on the server.
    init(_ session: any SQLSession) { self.init(session: session as! PostgreSQLSession) }
}
