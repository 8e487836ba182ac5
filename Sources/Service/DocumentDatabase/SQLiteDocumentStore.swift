public import Documents
internal import GRDB
internal import Glibc
internal import JobQueue
public import Linux
public import Media
internal import Synchronization

/// Documents in an SQLite file, beside the queue's tables: safe for several threads and several processes of one machine.
///
/// The file is in WAL mode, so its folder must be local. A change is on the disk on return (`synchronous=FULL`), and what is
/// deleted is overwritten (`secure_delete`). Reads run beside each other and beside the one writer.
public final class SQLiteDocumentStore: DocumentStore {
    let database: DatabasePool
    let path: String
    /// The recipes of the pictures that are queued for each new version.
    public let recipes: [Recipe]
    /// What earlier searches found.
    let searches = SearchMemory()
    private let now: @Sendable () -> Instant
    private let changes: FileSignal
    private let counter: ChangeCounter
    private let unreadable: @Sendable (String) -> Void
    /// The file that was opened. Once it is replaced or removed, nobody would see a write to it.
    private let file: FileStatus
    /// SQLite's `schema_version` when the tables' version was last checked.
    private let checkedTables = Mutex<Int?>(nil)

    /// The way in which the file is opened.
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

    /// Opens the file, makes it where it is missing, and brings its tables to this program's version.
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
        self.path = path
        self.recipes = recipes
        self.now = now
        self.unreadable = unreadable
        do {
            Self.makeFile(path)
            database = try SQLiteQueue.opening(within: options.busyTimeout) {
                try DatabasePool(path: path, configuration: Self.configuration(options))
            }
            let moment = now()
            try database.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    try SQLiteQueue.migrate(in: database)
                    try DocumentSchema.migrate(database, at: moment)
                    return .commit
                }
            }
            file = try FileStatus.of(path: path)
            changes = try FileSignal(path: SQLiteQueue.changesPath(of: path))
            counter = ChangeCounter(try changes.makeListener())
        } catch {
            throw DocumentError(error)
        }
    }

    /// Makes a missing file that not everybody may read; SQLite opens it and reports what is wrong.
    ///
    /// An existing file stays closed: closing a second descriptor would end the locks that this process holds on it.
    private static func makeFile(_ path: String) {
        _ = try? Descriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o660)
    }

    private static func configuration(_ options: Options) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout.milliseconds / 1000)
        configuration.maximumReaderCount = options.readerCount
        let pageLimit = options.pageLimit
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // KiB for each connection. More is no faster: the kernel has the file's pages.
            try database.execute(sql: "PRAGMA cache_size = -2000")
            if let pageLimit { try database.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
        }
        return configuration
    }

    /// Runs `body` in a transaction with the write lock from its beginning, then wakes listeners, and workers where a job was
    /// added.
    ///
    /// The moment of all its rows is taken under the lock, so that times follow the order of changes.
    func write<Answer>(
        addsJobs: Bool = false, _ body: (DocumentTable) throws -> Answer
    ) throws(DocumentError) -> Answer {
        if let change = openChange { return try change.write(addsJobs: addsJobs, body) }
        do {
            try requireSameFile()
            let answer = try database.writeWithoutTransaction { database in
                var answer: Answer?
                try database.inTransaction(.immediate) {
                    try requireKnownTables(database)
                    answer = try body(table(database))
                    return .commit
                }
                return answer!
            }
            announce(addsJobs: addsJobs)
            return answer
        } catch {
            throw DocumentError(error)
        }
    }

    /// Runs `body` over one state of the file.
    func read<Answer>(_ body: (DocumentTable) throws -> Answer) throws(DocumentError) -> Answer {
        if let change = openChange { return try change.read(body) }
        do {
            try requireSameFile()
            return try database.read { database in
                try requireKnownTables(database)
                return try body(table(database))
            }
        } catch {
            throw DocumentError(error)
        }
    }

    /// Runs `body` in one transaction, whose lock is taken at its beginning.
    public func together<Value>(_ body: () throws -> Value) throws -> Value {
        if openChange != nil { return try body() }
        var addsJobs = false
        // Errors of the body pass as they are.
        var outcome: Result<Value, any Error>?
        do {
            try requireSameFile()
            try database.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    try requireKnownTables(database)
                    let change = OpenChange(table(database), of: self)
                    outcome = Result { try OpenChange.$current.withValue(change, operation: body) }
                    addsJobs = change.addsJobs
                    if case .success? = outcome { return .commit }
                    return .rollback
                }
            }
        } catch {
            throw DocumentError(error)
        }
        let value = try outcome!.get()
        announce(addsJobs: addsJobs)
        return value
    }

    /// The change of several calls that this thread is in.
    private var openChange: OpenChange? { OpenChange.current.flatMap { $0.store === self ? $0 : nil } }

    private func table(_ database: Database) -> DocumentTable {
        DocumentTable(database: database, now: now(), unreadable: unreadable)
    }

    /// A removed or replaced file can still be written, and every change that is acknowledged then would be lost.
    private func requireSameFile() throws {
        let found = try? FileStatus.of(path: path)
        guard let found, found.inode == file.inode, found.device == file.device else {
            throw DocumentError.unavailable(detail: "the database's file was removed or replaced: restart the program")
        }
    }

    /// A newer program may have migrated the file while it is open here; this program does not know those tables.
    private func requireKnownTables(_ database: Database) throws {
        let changes = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA schema_version"))
        if checkedTables.withLock({ $0 == changes }) { return }
        try DocumentSchema.check(database)
        checkedTables.withLock { $0 = changes }
    }

    /// The change is committed, so a failure to signal is no error: listeners look again when their sleep ends.
    private func announce(addsJobs: Bool) {
        if addsJobs { SQLiteQueue.announce(path: path) }
        try? changes.send()
    }

    /// Counts the signals, which every process sends before it answers.
    public func changeNumber() -> Int64 { counter.current }

    /// Makes a listener that any process wakes: by a change of documents, and by the end of a job.
    public func makeListener() throws(DocumentError) -> any StoreListener {
        do throws(SystemError) {
            return SQLiteListener(changes: try changes.makeListener())
        } catch {
            throw DocumentError(error)
        }
    }
}

/// The listener of an `SQLiteDocumentStore`.
struct SQLiteListener: StoreListener {
    let changes: FileSignal.Listener

    func wait(atMost limit: Duration) throws(DocumentError) -> Bool {
        do throws(SystemError) {
            return try changes.wait(atMost: limit)
        } catch {
            throw DocumentError(error)
        }
    }
}
