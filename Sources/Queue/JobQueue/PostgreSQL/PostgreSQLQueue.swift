internal import Linux
public import PostgreSQL
internal import SQL

/// A queue in a PostgreSQL database: safe for several threads, processes and hosts.
///
/// What `enqueue` and a person's commands write is on the server's disk on return. Claims, heartbeats and ends survive the death of every
/// process of ours; a crash of the server's machine may undo the last of them (`synchronous_commit = off`), which repeats work and
/// loses none. Times are the server's, whatever the hosts' clocks say.
public final class PostgreSQLQueue: JobQueue {
    let surroundings: QueueSurroundings
    let memory = ClaimMemory()
    private let database: PostgreSQLDatabase
    private let notifier: Notifier
    /// Whether times are the server's; tests have a clock of their own.
    private let hasServerTime: Bool

    /// Opens a queue that `migrate` has prepared.
    ///
    /// - Parameters:
    ///   - notifier: the process's one, with the channels of `channels`.
    ///   - surroundings: `nil` for the usual policy and the server's clock.
    /// - Throws: `notMigrated`, `newerSchema`, or `unavailable`.
    public init(
        _ database: PostgreSQLDatabase, _ notifier: Notifier, _ surroundings: QueueSurroundings? = nil
    ) throws(QueueError) {
        self.database = database
        self.notifier = notifier
        self.surroundings = surroundings ?? QueueSurroundings(clock: HostedClock(server: database.clock))
        hasServerTime = surroundings == nil
        try read { statements in try PostgreSQLSchema.check(statements.session) }
    }

    /// The server's clock as the queue's.
    private struct HostedClock: QueueClock {
        let server: ServerClock

        var now: QueueInstant { QueueInstant(milliseconds: server.microseconds / 1000) }
    }

    /// The channel on which arrivals of jobs are signalled.
    package static let arrivals = "queue_arrivals"
    /// The channel on which ends of jobs, and changes of other tables beside them, are signalled.
    package static let changes = "queue_changes"

    /// The channels that a process's notifier needs for a queue.
    public static let channels = [arrivals, changes]

    /// Brings the tables to this program's version, and makes them where there are none. Of programs that start together one does it.
    ///
    /// - Returns: the tables' version before, 0 where there were none, and now.
    @discardableResult
    public static func migrate(
        _ database: PostgreSQLDatabase, at now: QueueInstant = WallClock().now
    ) throws(QueueError) -> (before: Int, after: Int) {
        do {
            let before = try database.migration { session in try migrate(in: session, at: now) }
            return (before, PostgreSQLSchema.version)
        } catch {
            throw QueueError(postgreSQL: error)
        }
    }

    /// The same inside the caller's transaction.
    ///
    /// - Returns: the tables' version before.
    @discardableResult
    package static func migrate(
        in session: PostgreSQLSession, at now: QueueInstant = WallClock().now
    ) throws -> Int {
        try session.execute("SELECT pg_advisory_xact_lock(\(migrationLock))", [])
        return try PostgreSQLSchema.migrate(session, at: now)
    }

    /// The key of the lock that a migration holds.
    private static let migrationLock = 0x636D_7000

    /// Runs `body` in a transaction of changes.
    func write<Answer>(
        _ mode: PostgreSQLDatabase.Mode = .fast, _ body: (JobStatements) throws -> Answer
    ) throws(QueueError) -> Answer {
        do {
            if hasServerTime { try database.refreshClock() }
            return try database.transaction(mode) { session in try body(JobStatements(session: session)) }
        } catch {
            throw QueueError(postgreSQL: error)
        }
    }

    /// Runs `body` over one state of the database.
    func read<Answer>(_ body: (JobStatements) throws -> Answer) throws(QueueError) -> Answer {
        try write(.reading, body)
    }

    /// Runs a statement as a transaction of its own, in one round trip.
    ///
    /// - Returns: what `body` makes of its first row.
    func run<Answer>(
        _ statement: PostgreSQLDatabase.Statement, _ body: (any SQLRow) throws -> Answer
    ) throws(QueueError) -> Answer? {
        try run([statement], recall: nil, body)
    }

    /// Runs a claim.
    func run(_ claim: QuickClaim) throws(QueueError) -> QuickClaim.Result {
        try run(claim.statements(), recall: claim.recall, claim.result) ?? .special
    }

    private func run<Answer>(
        _ statements: [PostgreSQLDatabase.Statement], recall: PostgreSQLDatabase.Statement?,
        _ body: (any SQLRow) throws -> Answer
    ) throws(QueueError) -> Answer? {
        do {
            if hasServerTime { try database.refreshClock() }
            return try database.fastTransaction(of: statements, recall: recall, body)
        } catch {
            throw QueueError(postgreSQL: error)
        }
    }

    /// Wakes waiting workers of all processes; call it after the commit.
    package func announce() { notifier.send(Self.arrivals) }

    /// Tells listeners that a job has ended.
    func announceEnd() { notifier.send(Self.changes) }

    /// Makes a waiter that any process wakes.
    public func makeWaiter() throws(QueueError) -> any JobWaiter {
        PostgreSQLWaiter(queue: self, arrivals: notifier.makeListener(Self.arrivals))
    }
}

/// The waiter of a `PostgreSQLQueue`.
struct PostgreSQLWaiter: JobWaiter {
    let queue: PostgreSQLQueue
    let arrivals: Notifier.Listener

    /// Wakes all waiting workers, those of other processes too: a claim that finds no job costs less than a second watch.
    func wake() { queue.announce() }

    func wait(atMost limit: Duration) throws(QueueError) -> Bool {
        let rest = try queue.nextDue().map { max(.zero, $0 - queue.surroundings.now) } ?? limit
        return arrivals.wait(atMost: min(limit, rest)) || rest < limit
    }
}

extension QueueError {
    /// Converts any error of a transaction to the module's error.
    init(postgreSQL error: any Error) {
        switch error {
        case let error as QueueError: self = error
        case let error as PostgreSQLError: self = .unavailable(Trouble(error), detail: "\(error)")
        default: self = .unavailable(.other, detail: "\(error)")
        }
    }
}

extension QueueError.Trouble {
    /// The fault behind an error of PostgreSQL.
    init(_ error: PostgreSQLError) {
        if error.isFull {
            self = .full
        } else if error.isReadOnly {
            self = .readOnly
        } else if error.isLocked {
            self = .locked
        } else {
            self = .other
        }
    }
}
