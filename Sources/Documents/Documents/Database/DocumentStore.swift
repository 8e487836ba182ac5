public import Database
internal import JobQueue
public import Media

/// The rows of documents and all that belongs to them, in a database beside the queue's tables: an SQLite file, or a PostgreSQL server
/// for several hosts. Each operation is atomic and, on return, on disk.
///
/// Calls block, and may come from any thread; other processes may share the store. Every operation names the person whose things
/// it is about: what belongs to others is `notFound`. A change and its event, and a new version and the job for its pictures, are
/// one transaction.
public final class DocumentStore: Sendable {
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

    /// Whether a change that failed as `unavailable` may have been made all the same, or still be made: the answer came, or did not
    /// come, by a network.
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

    /// Makes several changes one: on return all of them are on disk, after an error none.
    ///
    /// Calls of this store by `body`, on its thread, belong to the change: reads see what it has done, and a call that fails takes
    /// back its own part alone. All other changes wait meanwhile, so `body` must be short: it must not read files.
    ///
    /// Runs `body` in one transaction. In SQLite its lock is taken at its beginning.
    ///
    /// - Parameter owners: the people whose things are changed, where what `body` reads decides about the change: nobody else changes these
    ///   things from the first read on.
    /// - Throws: what `body` throws, or `DocumentError`.
    public func transaction<Value>(of owners: Set<ID<Person>>, _ body: () throws -> Value) throws -> Value {
        do {
            return try taking(owners.sorted()) { locks, permit in
                try database.transaction(locks, within: permit?.limit) {
                    try permit?.require()
                    return try body()
                }
            }
        } catch let error where error is any SQLFault || error is ChangePermit.Refusal {
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

    /// A number that has grown once a change by any process of this machine was answered to its client; a change on another machine
    /// counts milliseconds later. Asking is cheap, and does not block.
    public func changeNumber() -> Int64 { database.changeNumber }

    /// Sleeps until something was written since the last call, or `limit` has passed.
    ///
    /// Makes a listener that any process wakes: by a change of documents, and by the end of a job.
    public func makeListener() throws(DocumentError) -> StoreListener {
        do {
            return StoreListener(changes: try database.makeListener(.changes))
        } catch {
            throw DocumentError(database: error)
        }
    }
}

extension ChangePermit {
    /// The time of a request's change: all others wait for it in SQLite, those of other processes for 5 s.
    fileprivate var limit: SQLLimit { SQLLimit(.seconds(4)) }
}

/// A thread's sleep until the store has changed.
public struct StoreListener: Sendable {
    fileprivate let changes: any SQLListener

    /// Sleeps until something was written since the last call, or `limit` has passed.
    ///
    /// - Returns: whether something was written.
    public func wait(atMost limit: Duration) throws(DocumentError) -> Bool {
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
