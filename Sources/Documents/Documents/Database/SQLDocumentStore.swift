public import Database
internal import JobQueue
public import Media

/// Documents in a database, beside the queue's tables: an SQLite file, or a PostgreSQL server for several hosts.
///
/// A change is on the disk on return.
public final class SQLDocumentStore: DocumentStore {
    /// Where the rows are.
    public let database: any SQLDatabase
    /// The recipes of the pictures that are queued for each new version.
    public let recipes: [Recipe]
    /// What earlier searches found.
    let searches = SearchMemory()
    /// Of each person one change at a time waits for the database.
    private let turns = ChangeTurns()
    private let now: @Sendable () -> Instant
    private let unreadable: @Sendable (String) -> Void

    /// As the database has it: a server is behind a network, a file is not.
    public var mayHideCommits: Bool { database.mayHideCommits }

    /// Brings the tables of documents, and the queue's, to this program's version, and makes them where there are none.
    ///
    /// - Parameters:
    ///   - recipes: the pictures that are queued for each new version; at least one.
    ///   - adopts: whether tables of the app's former database are taken over.
    ///   - now: the clock of all rows; `nil` for the database's.
    ///   - unreadable: told of each row that was left out because it cannot be read, as "document ID".
    /// - Throws: `unavailable`, also for a database of a newer program, and for one with such tables where they are not taken over.
    public init(
        _ database: any SQLDatabase, recipes: [Recipe], adopts: Bool = false, now: (@Sendable () -> Instant)? = nil,
        unreadable: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DocumentError) {
        precondition(!recipes.isEmpty, "a version's job makes at least one picture")
        self.database = database
        self.recipes = recipes
        self.now = now ?? { Instant(microseconds: database.microseconds) }
        self.unreadable = unreadable
        do {
            try database.migration { session in
                try QueueTables.install(in: session)
                if try DocumentSchema.schema.found(in: session) == 0 {
                    try FormerTables.clear(session, moves: adopts)
                }
                try DocumentSchema.schema.install(in: session)
                if adopts { try FormerTables.order(session) }
            }
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// Runs `body` in a transaction of changes, then wakes listeners, and workers where a job was added.
    ///
    /// The moment of all its rows is taken under the lock, so that times follow the order of changes.
    /// - Parameters:
    ///   - owner: the person whose things are changed: such changes wait for each other. `nil` for changes of single rows.
    ///   - kind: nobody listens for a `fast` change.
    /// - Throws: `notAllowed` where the right of the request has ended, and what `body` throws.
    func write<Answer>(
        of owner: ID<Person>?, _ kind: SQLTransaction.Kind = .durable, addsJobs: Bool = false,
        _ body: (DocumentTable) throws -> Answer
    ) throws(DocumentError) -> Answer {
        do {
            return try taking(owner.map { [$0] } ?? []) { locks, permit in
                let signals: Set<SQLSignal> = kind == .fast ? [] : addsJobs ? [.changes, .jobs] : [.changes]
                return try database.write(locks, kind, within: permit?.limit, sending: signals) { session in
                    try permit?.require()
                    return try body(table(session))
                }
            }
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// By which changes of a person's things wait for each other.
    static func lock(of owner: ID<Person>) -> SQLLock { .named(0x636D_7003, owner.text) }

    /// Runs `body` over one state of the database.
    func read<Answer>(_ body: (DocumentTable) throws -> Answer) throws(DocumentError) -> Answer {
        do {
            return try database.read { session in try body(table(session)) }
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// Runs `body` in one transaction. In SQLite its lock is taken at its beginning.
    public func transaction<Value>(of owners: Set<ID<Person>>, _ body: () throws -> Value) throws -> Value {
        do {
            return try taking(owners.sorted()) { locks, permit in
                try database.transaction(locks, within: permit?.limit) {
                    try permit?.require()
                    return try body()
                }
            }
        } catch let error as any SQLFault {
            throw DocumentError(database: error)
        }
    }

    /// Runs a change when it is the owners' turn.
    ///
    /// - Parameters:
    ///   - owners: sorted, so that no two changes wait for each other.
    ///   - change: gets the locks of the owners, and the permit of a request. A part of a change that has had its turn gets none.
    private func taking<Answer>(
        _ owners: [ID<Person>], _ change: (_ locks: [SQLLock], _ permit: ChangePermit?) throws -> Answer
    ) throws -> Answer {
        let locks = owners.map { Self.lock(of: $0) }
        if database.isInWriteTransaction { return try change(locks, nil) }
        return try turns.run(of: owners.map(\.text)) { try change(locks, ChangePermit.current) }
    }

    private func table(_ session: any SQLSession) -> DocumentTable {
        DocumentTable(session: session, database: database, now: now(), unreadable: unreadable)
    }

    /// The number of changes so far.
    public func changeNumber() -> Int64 { database.changeNumber }

    /// Makes a listener that any process wakes: by a change of documents, and by the end of a job.
    public func makeListener() throws(DocumentError) -> any StoreListener {
        do {
            return ChangeListener(changes: try database.makeListener(.changes))
        } catch {
            throw DocumentError(database: error)
        }
    }
}

extension ChangePermit {
    /// The time of a request's change: all others wait for it in SQLite, those of other processes for 5 s.
    fileprivate var limit: SQLLimit { SQLLimit(.seconds(4)) }
}

private struct ChangeListener: StoreListener {
    let changes: any SQLListener

    func wait(atMost limit: Duration) throws(DocumentError) -> Bool {
        do { return try changes.wait(atMost: limit) } catch { throw DocumentError(database: error) }
    }
}

extension DocumentError {
    /// The service's error for any error of a transaction.
    init(database error: any Error) {
        switch error {
        case let error as DocumentError: self = error
        case ChangePermit.Refusal.ended: self = .notAllowed
        case ChangePermit.Refusal.unknown(let detail): self = .unavailable(detail: detail)
        case let error as any SQLFault where error.trouble == .full: self = .full(detail: "database: \(error)")
        // The same values are refused again.
        case let error as any SQLFault where error.trouble == .tooComplex:
            self = .invalid(field: "text", message: "A text is too long to be stored.")
        case let error as any SQLFault: self = .unavailable(detail: "database: \(error)")
        case QueueError.unavailable(.full, let detail): self = .full(detail: "queue: \(detail)")
        case let error as QueueError: self = .unavailable(detail: "queue: \(error)")
        default: self = .unavailable(detail: "\(error)")
        }
    }
}
