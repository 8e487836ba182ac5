internal import Documents
internal import JobQueue
internal import PostgreSQL
internal import SQL

/// Documents in a PostgreSQL database, beside the queue's tables: for several hosts.
///
/// A change is on the server's disk on return. Changes of one person's things wait for each other; those of others go on beside them.
final class PostgreSQLEngine: DocumentEngine {
    private let database: PostgreSQLDatabase
    private let notifier: Notifier
    var clock: ServerClock { database.clock }

    /// - Parameter adopts: whether tables of the app's former database are taken over.
    init(_ database: PostgreSQLDatabase, _ notifier: Notifier, adopts: Bool) throws {
        self.database = database
        self.notifier = notifier
        try database.refreshClock()
        let moment = Instant(microseconds: clock.microseconds)
        try database.migration { session in
            // Holds the lock of migrations, for the tables of documents, too.
            try PostgreSQLQueue.migrate(in: session)
            try PostgreSQLDocumentSchema.migrate(session, at: moment, adopts: adopts)
        }
    }

    func write<Answer>(of owner: ID<Person>?, _ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.refreshClock()
        return try database.transaction(.durable) { session in
            if let owner { try lock(owner, in: session) }
            return try body(session)
        }
    }

    func writeOnce<Answer>(
        _ body: (any SQLSession) throws -> Answer, isKept: (Answer) -> Bool
    ) throws -> Answer {
        try database.refreshClock()
        var answer: Answer?
        do {
            return try database.transactionOnce(.durable) { session in
                answer = try body(session)
                if !isKept(answer!) { throw TakenBack() }
                return answer!
            }
        } catch is TakenBack {
            return answer!
        }
    }

    /// Ends a transaction without its changes.
    private struct TakenBack: Error {}

    func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.refreshClock()
        return try database.transaction(.reading, body)
    }

    /// Waits for the person's lock: of two changes the one that got the larger number could be committed first.
    func readSettled<Answer>(of owner: ID<Person>, _ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try database.transaction(.fast) { session in
            try lock(owner, in: session)
            return try body(session)
        }
    }

    func lock(_ owner: ID<Person>, in session: any SQLSession) throws {
        // Waits here, so that the moment of the change is taken under the lock.
        try session.execute("SELECT pg_advisory_xact_lock(\(Self.ownerLock), hashtext(?))", [owner.text])
    }

    /// The first key of the advisory locks by which the changes of one person's things wait for each other.
    private static let ownerLock = 0x636D_7003

    func enqueue(_ requests: [JobRequest], in session: any SQLSession) throws -> [Enqueued] {
        let now = QueueInstant(milliseconds: clock.microseconds / 1000)
        return try PostgreSQLQueue.enqueue(requests, in: Self.connection(session), at: now)
    }

    func forget(_ id: JobID, in session: any SQLSession) throws -> Bool {
        try PostgreSQLQueue.forget(id, in: Self.connection(session))
    }

    private static func connection(_ session: any SQLSession) -> PostgreSQLSession { session as! PostgreSQLSession }

    func announce(addsJobs: Bool) {
        if addsJobs { notifier.send(PostgreSQLQueue.arrivals) }
        notifier.send(PostgreSQLQueue.changes)
    }

    /// Counts the signals that have arrived here. Another host's change is counted within milliseconds of its commit, as it would be
    /// seen by a request that came as much earlier.
    var mayHideCommits: Bool { true }

    var changeNumber: Int64 { notifier.count(PostgreSQLQueue.changes) }

    func makeListener() -> any StoreListener {
        PostgreSQLListener(changes: notifier.makeListener(PostgreSQLQueue.changes))
    }

    func documentError(_ error: any Error) -> DocumentError { Self.documentError(error) }

    /// The service's error for one of the database.
    static func documentError(_ error: any Error) -> DocumentError {
        switch error {
        case let error as DocumentError: error
        case let error as PostgreSQLError where error.isFull: .full(detail: "\(error)")
        case QueueError.unavailable(.full, let detail): .full(detail: "queue: \(detail)")
        default: .unavailable(detail: "\(error)")
        }
    }

    /// The server keeps references itself.
    func structureFaults(in session: any SQLSession) -> [String] { [] }

    /// The server's vacuum does it.
    func tidy() {}
}

/// The listener of a `PostgreSQLEngine`.
struct PostgreSQLListener: StoreListener {
    let changes: Notifier.Listener

    func wait(atMost limit: Duration) -> Bool { changes.wait(atMost: limit) }
}
