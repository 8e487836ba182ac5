internal import GRDB
internal import Linux
internal import Synchronization

/// A queue in an SQLite file: safe for several threads and several processes of one machine.
///
/// The file is in WAL mode, so its folder must be writable and local. What `enqueue` and a person's commands write is
/// on disk when they return (`synchronous=FULL`); claims, heartbeats and ends survive the death of every process but
/// may be forgotten when power fails (`NORMAL`), which repeats work and loses none.
public final class SQLiteQueue: JobQueue {
    let surroundings: QueueSurroundings
    private let database: DatabaseQueue
    /// Absent where the file is only looked at: it could not be touched.
    private let arrivals: FileSignal?
    private let path: String
    /// The file that was opened: should another lie at its path, or none, what is written here is nobody's.
    private let file: FileStatus
    /// SQLite's count of changes to the tables when they were last found to be this program's.
    private let checkedTables = Mutex<Int?>(nil)

    /// How the file is used.
    public struct Options: Hashable, Sendable {
        /// How long an operation waits for another process before it fails as `locked`.
        public var busyTimeout: Duration = .seconds(5)
        /// Only for looking: every change fails as `readOnly`.
        public var isReadOnly = false
        /// The most pages of 4 KiB that the file may grow to, `nil` for no bound; then changes fail as `full`.
        public var pageLimit: Int?

        public init() {}
    }

    /// Opens a queue that `migrate` has prepared.
    ///
    /// - Throws: `missing`, `notMigrated`, `newerSchema` or what else is wrong with the file; it is left as it was.
    public init(
        path: String, _ surroundings: QueueSurroundings = QueueSurroundings(), options: Options = Options()
    ) throws(QueueError) {
        self.surroundings = surroundings
        do {
            self.path = path
            file = try Self.requireFile(path)
            database = try DatabaseQueue(path: path, configuration: Self.configuration(options))
            try database.read(QueueSchema.check)
            arrivals = options.isReadOnly ? nil : try FileSignal(path: path + "-wake")
        } catch {
            throw QueueError(error)
        }
    }

    /// Makes the file where it is missing and brings its tables to this program's version; harmless when they are.
    ///
    /// - Returns: the tables' version before, 0 where there were none, and now.
    @discardableResult
    public static func migrate(
        path: String, at now: QueueInstant = WallClock().now
    ) throws(QueueError) -> (before: Int, after: Int) {
        do {
            var configuration = configuration(Options())
            configuration.journalMode = .wal
            let database = try DatabaseQueue(path: path, configuration: configuration)
            let before = try database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                var before = 0
                try database.inTransaction(.immediate) {
                    before = try QueueSchema.migrate(database, at: now)
                    return .commit
                }
                return before
            }
            try database.close()
            return (before, QueueSchema.version)
        } catch {
            throw QueueError(error)
        }
    }

    /// SQLite would make the file.
    @discardableResult
    private static func requireFile(_ path: String) throws(QueueError) -> FileStatus {
        do throws(SystemError) {
            return try FileStatus.of(path: path)
        } catch {
            throw .unavailable(.missing, detail: "\(error)")
        }
    }

    private static func configuration(_ options: Options) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout.milliseconds / 1000)
        configuration.readonly = options.isReadOnly
        let pageLimit = options.pageLimit
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            if let pageLimit { try database.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
        }
        return configuration
    }
}

extension SQLiteQueue {
    /// Whether a change is on disk when it returns.
    enum Durability {
        /// It outlives the power.
        case full
        /// It outlives every process.
        case normal
    }

    /// A file that was removed or replaced can still be written: what is acknowledged then would be lost.
    private func requireSameFile() throws(QueueError) {
        let found = try Self.requireFile(path)
        guard found.inode == file.inode, found.device == file.device else {
            throw .unavailable(.missing, detail: "another file lies at its path now")
        }
    }

    /// A newer program may have migrated the file while it was open here: what it means by the tables is not known then.
    private func requireKnownTables(_ database: Database) throws {
        let changes = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA schema_version"))
        if checkedTables.withLock({ $0 == changes }) { return }
        try QueueSchema.check(database)
        checkedTables.withLock { $0 = changes }
    }

    /// Runs `body` in a transaction that holds the write lock from its beginning: what it reads stays true.
    func write<Answer>(
        _ durability: Durability = .normal, _ body: (JobTable) throws -> Answer
    ) throws(QueueError) -> Answer {
        try requireSameFile()
        do {
            return try database.writeWithoutTransaction { database in
                // The setting cannot change within a transaction.
                if durability == .full { try database.execute(sql: "PRAGMA synchronous = FULL") }
                defer {
                    // Should this fail, more is synchronised than need be.
                    if durability == .full { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
                }
                var answer: Answer?
                try database.inTransaction(.immediate) {
                    try requireKnownTables(database)
                    answer = try body(JobTable(database: database))
                    return .commit
                }
                return answer!
            }
        } catch {
            throw QueueError(error)
        }
    }

    /// Runs `body` over one state of the file.
    func read<Answer>(_ body: (JobTable) throws -> Answer) throws(QueueError) -> Answer {
        try requireSameFile()
        do {
            return try database.read { database in
                try requireKnownTables(database)
                return try body(JobTable(database: database))
            }
        } catch {
            throw QueueError(error)
        }
    }

    /// Wakes waiting workers of all processes.
    ///
    /// The change is committed, so a signal that cannot be sent must not deny it: those who wait look again when their
    /// time is over.
    func announce() {
        if let arrivals { try? arrivals.send() }
    }

    public func makeWaiter() throws(QueueError) -> any JobWaiter {
        guard let arrivals else { throw .unavailable(.readOnly, detail: "the queue was opened for looking only") }
        do throws(SystemError) {
            return SQLiteWaiter(queue: self, arrivals: try arrivals.makeListener())
        } catch {
            throw QueueError(error)
        }
    }
}

/// Sleeps until another process enqueues, or something comes due.
struct SQLiteWaiter: JobWaiter {
    let queue: SQLiteQueue
    let arrivals: FileSignal.Listener

    /// Wakes every waiting worker once, of other processes too: a look that finds nothing costs less than a second watch.
    func wake() { queue.announce() }

    func wait(atMost limit: Duration) throws(QueueError) -> Bool {
        let rest = try queue.nextDue().map { max(.zero, $0 - queue.surroundings.now) } ?? limit
        do throws(SystemError) {
            return try arrivals.wait(atMost: min(limit, rest)) || rest < limit
        } catch {
            throw QueueError(error)
        }
    }
}
