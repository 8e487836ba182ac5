public import Database
internal import JobQueue
public import Media

/// The rows of documents and everything that belongs to them, in a database beside the queue's tables: an SQLite file,
/// or a PostgreSQL server for several hosts. Each operation is atomic and, on return, on disk.
///
/// Calls block, and may come from any thread; other processes may share the store. Every operation names the person
/// whose data it concerns: the data of others is `notFound`. A change and its event are one transaction. So are a new
/// version and the job for its pictures.
public final class DocumentStore: Sendable {
    /// The database that holds the rows.
    public let database: any SQLDatabase
    /// The recipes of the pictures that are queued for each new version.
    public let recipes: [Recipe]
    /// The results of earlier searches.
    let searches = SearchMemory()
    /// Lets only one change per person wait for the database.
    private let turns = ChangeTurns()
    private let now: @Sendable () -> Instant
    private let unreadable: @Sendable (String) -> Void

    /// Whether a change that failed as `unavailable` may have been made all the same, or may still be made: the
    /// response comes over a network.
    public var commitOutcomeUnknown: Bool { database.commitOutcomeUnknown }

    /// Migrates the tables of documents and of the queue to this program's version, and creates missing tables.
    ///
    /// - Parameters:
    ///   - recipes: the pictures that are queued for each new version; at least one.
    ///   - adopts: whether tables of the app's former database are adopted.
    ///   - now: the clock of all rows; `nil` for the database's clock.
    ///   - unreadable: called with each row that is left out because it is unreadable, as "document ID".
    /// - Throws: `unavailable`, also for a database of a newer program, and for one with former tables that are not
    ///   adopted.
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

    /// Runs `body` in a write transaction, then wakes listeners, and workers if a job was added.
    ///
    /// The timestamp of all its rows is taken under the lock, so that timestamps follow the order of changes.
    /// - Parameters:
    ///   - owner: the person whose data changes: such changes wait for each other. `nil` for changes of single rows.
    ///   - kind: nobody listens for a `fast` change.
    /// - Throws: `notAllowed` if the request's right was revoked, and what `body` throws.
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

    /// The lock by which changes of a person's data wait for each other.
    static func lock(of owner: ID<Person>) -> SQLLock { .named(0x636D_7003, owner.text) }

    /// Runs `body` over one state of the database.
    func read<Answer>(_ body: (DocumentTable) throws -> Answer) throws(DocumentError) -> Answer {
        do {
            return try database.read { session in try body(table(session)) }
        } catch {
            throw DocumentError(database: error)
        }
    }

    /// Makes several changes atomic: on return all of them are on disk, after an error none.
    ///
    /// Calls that `body` makes to this store, on its thread, belong to the change: reads see its effects, and a failed
    /// call rolls back only its own part. All other changes wait meanwhile, so `body` must be short: it must not read
    /// files.
    ///
    /// Runs `body` in one transaction. SQLite takes its lock at the beginning.
    ///
    /// - Parameter owners: the people whose data changes, if what `body` reads decides about the change: nobody else
    ///   changes this data from the first read on.
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
    ///   - change: gets the owners' locks, and the request's permit. A part of a running change gets no permit.
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

    /// A number that has grown by the time any process of this machine answers a change to its client. A change on
    /// another machine counts milliseconds later. Reading it is cheap, and does not block.
    public func changeNumber() -> Int64 { database.changeNumber }

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
    /// The time limit of a request's change: in SQLite all others wait for it, those of other processes for 5 s.
    fileprivate var limit: SQLLimit { SQLLimit(.seconds(4)) }
}

/// Lets a thread sleep until the store changes.
public struct StoreListener: Sendable {
    fileprivate let changes: any SQLListener

    /// Sleeps until something has been written since the last call, or `limit` has passed.
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
        // A retry with the same values fails again.
        case let error as any SQLFault where error.trouble == .tooComplex:
            self = .invalid(field: "text", message: "A text is too long to be stored.")
        case let error as any SQLFault: self = .unavailable(detail: "database: \(error)")
        case QueueError.unavailable(.full, let detail): self = .full(detail: "queue: \(detail)")
        case let error as QueueError: self = .unavailable(detail: "queue: \(error)")
        default: self = .unavailable(detail: "\(error)")
        }
    }
}
