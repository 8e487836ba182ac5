public import Documents
internal import JobQueue
public import Linux
public import Media
public import PostgreSQL
internal import SQL

/// Documents in a database, beside the queue's tables: an SQLite file, or a PostgreSQL server for several hosts.
///
/// A change is on the disk on return. What the two databases do in different ways is their `DocumentEngine`'s.
public final class SQLDocumentStore: DocumentStore {
    let engine: any DocumentEngine
    /// The recipes of the pictures that are queued for each new version.
    public let recipes: [Recipe]
    /// What earlier searches found.
    let searches = SearchMemory()
    private let now: @Sendable () -> Instant
    private let unreadable: @Sendable (String) -> Void

    /// As the database has it: a server is behind a network, a file is not.
    public var mayHideCommits: Bool { engine.mayHideCommits }

    /// Whether the database is a PostgreSQL server's.
    var isServer: Bool { engine is PostgreSQLEngine }

    /// The way in which an SQLite file is opened.
    public struct Options: Hashable, Sendable {
        /// How many reads run at once.
        public var readerCount = 4
        /// How long a change waits for another process's change before it fails.
        public var busyTimeout: Duration = .seconds(5)
        /// The largest size of the file in pages of 4 KiB, beyond which changes fail as `full`; `nil` for no bound.
        public var pageLimit: Int?

        /// The options of the programs.
        public init() {}
    }

    /// Opens an SQLite file, makes it where it is missing, and brings its tables to this program's version.
    ///
    /// - Parameters:
    ///   - recipes: the pictures that are queued for each new version; at least one.
    ///   - now: the clock of all rows.
    ///   - unreadable: told of each row that was left out because it cannot be read, as "document ID".
    /// - Throws: `unavailable`, also for a file of a newer program.
    public init(
        path: String, recipes: [Recipe], options: Options = Options(),
        now: @escaping @Sendable () -> Instant = { Instant(microseconds: Time.wall / 1000) },
        unreadable: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DocumentError) {
        precondition(!recipes.isEmpty, "a version's job makes at least one picture")
        self.recipes = recipes
        self.now = now
        self.unreadable = unreadable
        do {
            engine = try SQLiteEngine(path: path, options, at: now())
        } catch {
            throw DocumentError(error)
        }
    }

    /// Opens a PostgreSQL database, and brings its tables to this program's version.
    ///
    /// - Parameters:
    ///   - notifier: the process's one, with the channels of `PostgreSQLQueue`.
    ///   - adopts: whether tables of the app's former database are taken over.
    ///   - now: the clock of all rows; `nil` for the server's.
    /// - Throws: `unavailable`, also for a database of a newer program, and for one with such tables where they are not taken over.
    public init(
        _ database: PostgreSQLDatabase, _ notifier: Notifier, recipes: [Recipe], adopts: Bool = false,
        now: (@Sendable () -> Instant)? = nil, unreadable: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DocumentError) {
        precondition(!recipes.isEmpty, "a version's job makes at least one picture")
        self.recipes = recipes
        self.unreadable = unreadable
        do {
            let engine = try PostgreSQLEngine(database, notifier, adopts: adopts)
            self.engine = engine
            self.now = now ?? { Instant(microseconds: engine.clock.microseconds) }
        } catch {
            throw PostgreSQLEngine.documentError(error)
        }
    }

    /// Runs `body` in a transaction of changes, then wakes listeners, and workers where a job was added.
    ///
    /// The moment of all its rows is taken under the lock, so that times follow the order of changes.
    /// - Parameter owner: the person whose things are changed; `nil` for changes of single rows.
    func write<Answer>(
        of owner: ID<Person>?, addsJobs: Bool = false, _ body: (DocumentTable) throws -> Answer
    ) throws(DocumentError) -> Answer {
        do {
            if let change = openChange {
                if let owner { try engine.lock(owner, in: change.session) }
                return try change.write(addsJobs: addsJobs) { session in try body(table(session)) }
            }
            let answer = try engine.write(of: owner) { session in try body(table(session)) }
            engine.announce(addsJobs: addsJobs)
            return answer
        } catch {
            throw engine.documentError(error)
        }
    }

    /// Runs `body` over one state of the database.
    func read<Answer>(_ body: (DocumentTable) throws -> Answer) throws(DocumentError) -> Answer {
        do {
            if let change = openChange { return try body(table(change.session)) }
            return try engine.read { session in try body(table(session)) }
        } catch {
            throw engine.documentError(error)
        }
    }

    /// Runs `body` in one transaction. In SQLite its lock is taken at its beginning.
    public func together<Value>(_ body: () throws -> Value) throws -> Value {
        if openChange != nil { return try body() }
        var addsJobs = false
        // Errors of the body pass as they are.
        let outcome: Result<Value, any Error>
        do {
            outcome = try engine.writeOnce { session in
                let change = OpenChange(session, of: self)
                defer { addsJobs = change.addsJobs }
                return Result { try OpenChange.$current.withValue(change, operation: body) }
            } isKept: { outcome in
                if case .success = outcome { true } else { false }
            }
        } catch {
            throw engine.documentError(error)
        }
        let value = try outcome.get()
        engine.announce(addsJobs: addsJobs)
        return value
    }

    /// Runs `body` so that what other stores over the database read by it belongs to a transaction.
    func within<Value>(_ table: DocumentTable, _ body: () throws -> Value) throws -> Value {
        if openChange != nil { return try body() }
        return try OpenChange.$current.withValue(OpenChange(table.session, of: self), operation: body)
    }

    /// The change of several calls that this thread is in.
    private var openChange: OpenChange? { OpenChange.current.flatMap { $0.store === self ? $0 : nil } }

    private func table(_ session: any SQLSession) -> DocumentTable {
        DocumentTable(session: session, engine: engine, now: now(), unreadable: unreadable)
    }

    /// The number of changes so far.
    public func changeNumber() -> Int64 { engine.changeNumber }

    /// Makes a listener that any process wakes: by a change of documents, and by the end of a job.
    public func makeListener() throws(DocumentError) -> any StoreListener {
        do {
            return try engine.makeListener()
        } catch {
            throw engine.documentError(error)
        }
    }
}
