public import Documents
internal import GRDB
internal import JobQueue
public import Linux
public import Media

/// Documents in an SQLite file, beside the queue's tables: safe for several threads and several processes of one machine.
///
/// The file is in WAL mode, so its folder must be local. A change is on the disk on return (`synchronous=FULL`), and what is
/// deleted is overwritten (`secure_delete`). Reads run beside each other and beside the one writer.
public final class SQLiteDocumentStore: DocumentStore {
    let database: DatabasePool
    let path: String
    /// The recipes of the pictures that are queued for each new version.
    let recipes: [Recipe]
    private let now: @Sendable () -> Instant
    private let changes: FileSignal
    private let unreadable: @Sendable (String) -> Void

    /// Opens the file, makes it where it is missing, and brings its tables to this program's version.
    ///
    /// - Parameters:
    ///   - recipes: the pictures that are queued for each new version; at least one.
    ///   - readerCount: how many reads run at once.
    ///   - now: the clock of all rows.
    ///   - unreadable: told of each row that was left out because it cannot be read.
    /// - Throws: `unavailable`, also for a file of a newer program.
    public init(
        path: String, recipes: [Recipe], readerCount: Int = 4,
        now: @escaping @Sendable () -> Instant = { Instant(microseconds: Time.wall / 1000) },
        unreadable: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(DocumentError) {
        self.path = path
        self.recipes = recipes
        self.now = now
        self.unreadable = unreadable
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = readerCount
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try database.execute(sql: "PRAGMA secure_delete = ON")
                try database.execute(sql: "PRAGMA cache_size = -8000")
            }
            database = try DatabasePool(path: path, configuration: configuration)
            let moment = now()
            try database.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    try SQLiteQueue.migrate(in: database)
                    try DocumentSchema.migrate(database, at: moment)
                    return .commit
                }
            }
            changes = try FileSignal(path: SQLiteQueue.changesPath(of: path))
        } catch {
            throw DocumentError(error)
        }
    }

    /// Runs `body` in a transaction with the write lock from its beginning, then wakes listeners, and workers where a job was
    /// added.
    func write<Answer>(
        addsJobs: Bool = false, _ body: (DocumentTable) throws -> Answer
    ) throws(DocumentError) -> Answer {
        let moment = now()
        do {
            let answer = try database.writeWithoutTransaction { database in
                var answer: Answer?
                try database.inTransaction(.immediate) {
                    answer = try body(table(database, moment))
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
        let moment = now()
        do {
            return try database.read { database in try body(table(database, moment)) }
        } catch {
            throw DocumentError(error)
        }
    }

    private func table(_ database: Database, _ moment: Instant) -> DocumentTable {
        DocumentTable(database: database, now: moment, unreadable: unreadable)
    }

    /// The change is committed, so a failure to signal is no error: listeners look again when their sleep ends.
    private func announce(addsJobs: Bool) {
        if addsJobs { SQLiteQueue.announce(path: path) }
        try? changes.send()
    }

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
