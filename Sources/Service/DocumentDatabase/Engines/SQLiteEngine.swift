internal import Documents
internal import GRDB
internal import Glibc
internal import JobQueue
internal import Linux
internal import SQL
internal import SQLite
internal import Synchronization

/// Documents in an SQLite file, beside the queue's tables: for several threads and several processes of one machine.
///
/// The file is in WAL mode, so its folder must be local. A change is on the disk on return (`synchronous=FULL`), and what is
/// deleted is overwritten (`secure_delete`). Reads run beside each other and beside the one writer.
final class SQLiteEngine: DocumentEngine {
    let database: DatabasePool
    let path: String
    private let changes: FileSignal
    private let counter: ChangeCounter
    /// The file that was opened. Once it is replaced or removed, nobody would see a write to it.
    private let file: FileStatus
    /// SQLite's `schema_version` when the tables' version was last checked.
    private let checkedTables = Mutex<Int?>(nil)

    init(path: String, _ options: SQLDocumentStore.Options, at moment: Instant) throws {
        self.path = path
        OwnerOnly.makeDatabase(path, endings: SQLiteQueue.signalEndings)
        database = try SQLiteQueue.opening(within: options.busyTimeout) {
            try DatabasePool(path: path, configuration: Self.configuration(options))
        }
        try database.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                try SQLiteQueue.migrate(in: database)
                try SQLiteDocumentSchema.migrate(database, at: moment)
                return .commit
            }
        }
        file = try FileStatus.of(path: path)
        changes = try FileSignal(path: SQLiteQueue.changesPath(of: path))
        counter = ChangeCounter(try changes.makeListener())
    }

    private static func configuration(_ options: SQLDocumentStore.Options) -> Configuration {
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

    /// The write lock is taken at the beginning, so all changes wait for each other.
    func write<Answer>(of owner: ID<Person>?, _ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try writeOnce(body) { _ in true }
    }

    func writeOnce<Answer>(
        _ body: (any SQLSession) throws -> Answer, isKept: (Answer) -> Bool
    ) throws -> Answer {
        try requireSameFile()
        return try database.writeWithoutTransaction { database in
            var answer: Answer?
            try database.inTransaction(.immediate) {
                try requireKnownTables(database)
                answer = try body(SQLiteSession(database))
                return isKept(answer!) ? .commit : .rollback
            }
            return answer!
        }
    }

    func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try requireSameFile()
        return try database.read { database in
            try requireKnownTables(database)
            return try body(SQLiteSession(database))
        }
    }

    /// There is one change at a time, and it is committed before the next one begins.
    func readSettled<Answer>(of owner: ID<Person>, _ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try read(body)
    }

    func lock(_ owner: ID<Person>, in session: any SQLSession) {}

    func enqueue(_ requests: [JobRequest], in session: any SQLSession) throws -> [Enqueued] {
        try SQLiteQueue.enqueue(requests, in: Self.connection(session))
    }

    func forget(_ id: JobID, in session: any SQLSession) throws -> Bool {
        try SQLiteQueue.forget(id, in: Self.connection(session))
    }

    /// The connection of one of this engine's sessions.
    static func connection(_ session: any SQLSession) -> Database { (session as! SQLiteSession).database }

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
        try SQLiteDocumentSchema.check(database)
        checkedTables.withLock { $0 = changes }
    }

    /// The change is committed, so a failure to signal is no error: listeners look again when their sleep ends.
    func announce(addsJobs: Bool) {
        if addsJobs { SQLiteQueue.announce(path: path) }
        try? changes.send()
    }

    /// Counts the signals, which every process sends before it answers.
    var mayHideCommits: Bool { false }

    var changeNumber: Int64 { counter.current }

    func makeListener() throws -> any StoreListener { SQLiteListener(changes: try changes.makeListener()) }

    func documentError(_ error: any Error) -> DocumentError { DocumentError(error) }

    func structureFaults(in session: any SQLSession) throws -> [String] {
        let integrity = try session.all("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
        return integrity
            + (try session.all("PRAGMA foreign_key_check") { row in
                "a row of \(row.words) names a row of \(row.text(2) ?? "?") that is gone"
            })
    }

    /// Overwrites what deletions have left in the write-ahead log and the search index.
    ///
    /// SQLite overwrites the rows themselves at once (`secure_delete`), but older copies of pages stay in the log until it is
    /// emptied, and deleted texts stay as single trigrams in the search index until its segments are merged.
    func tidy() throws {
        try mergeSearchIndex()
        try database.writeWithoutTransaction { database in
            _ = try database.checkpoint(.truncate)
        }
    }

    /// Merges the segments of the search index into one, a few pages a transaction
    /// (sqlite.org/fts5.html#the_merge_command).
    private func mergeSearchIndex() throws {
        var pages = -Self.mergedPages
        while true {
            let hasMore = try database.writeWithoutTransaction { database in
                let before = database.totalChangesCount
                try database.inTransaction(.immediate) {
                    try database.execute(
                        sql: "INSERT INTO document_search (document_search, rank) VALUES ('merge', ?)",
                        arguments: [pages])
                    return .commit
                }
                return database.totalChangesCount - before >= 2
            }
            if !hasMore { return }
            pages = Self.mergedPages
        }
    }

    private static let mergedPages = 200
}

/// The listener of an `SQLiteEngine`.
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
