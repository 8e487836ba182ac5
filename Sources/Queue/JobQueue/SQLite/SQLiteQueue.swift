internal import GRDB
internal import Linux
internal import Synchronization

/// A queue in an SQLite file: safe for several threads and several processes of one machine.
///
/// The file is in WAL mode, so its folder must be writable and local. The writes of `enqueue` and of a person's commands are
/// on the disk on return (`synchronous=FULL`). Claims, heartbeats and ends survive the death of every process; a power
/// failure may undo them (`NORMAL`), which repeats work and loses none.
public final class SQLiteQueue: JobQueue {
    let surroundings: QueueSurroundings
    private let database: DatabaseQueue
    /// `nil` for a queue that is opened read-only, which cannot signal.
    private let arrivals: FileSignal?
    /// Tells listeners in this and other processes that a job has ended; `nil` as for `arrivals`.
    private let ends: FileSignal?
    private let path: String
    /// The file that was opened. Once it is replaced or removed, nobody would see a write to it.
    private let file: FileStatus
    /// SQLite's `schema_version` when the tables' version was last checked.
    private let checkedTables = Mutex<Int?>(nil)

    /// The way in which the file is opened.
    public struct Options: Hashable, Sendable {
        /// How long an operation waits for another process's lock before it fails as `locked`.
        public var busyTimeout: Duration = .seconds(5)
        /// Whether every change fails as `readOnly`.
        public var isReadOnly = false
        /// The largest size of the file in pages of 4 KiB, beyond which changes fail as `full`; `nil` for no bound.
        public var pageLimit: Int?

        /// The options of the programs that write.
        public init() {}
    }

    /// Opens a queue that `migrate` has prepared.
    ///
    /// - Throws: `missing`, `notMigrated`, `newerSchema` or another fault of the file, which stays as it was.
    public init(
        path: String, _ surroundings: QueueSurroundings = QueueSurroundings(), options: Options = Options()
    ) throws(QueueError) {
        self.surroundings = surroundings
        do {
            self.path = path
            file = try Self.requireFile(path)
            database = try DatabaseQueue(path: path, configuration: Self.configuration(options))
            try database.read(QueueSchema.check)
            arrivals = options.isReadOnly ? nil : try FileSignal(path: path + Self.wakeEnding)
            ends = options.isReadOnly ? nil : try FileSignal(path: Self.changesPath(of: path))
        } catch {
            throw QueueError(error)
        }
    }

    /// Makes the file where it is missing, and brings its tables to this program's version. Changes nothing where that is done.
    ///
    /// - Returns: the tables' version before, 0 where there were none, and now.
    @discardableResult
    public static func migrate(
        path: String, at now: QueueInstant = WallClock().now
    ) throws(QueueError) -> (before: Int, after: Int) {
        do {
            OwnerOnly.makeDatabase(path, endings: signalEndings)
            let options = Options()
            var configuration = configuration(options)
            configuration.journalMode = .wal
            let database = try opening(within: options.busyTimeout) {
                try DatabaseQueue(path: path, configuration: configuration)
            }
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

    /// Throws where the file is missing, since SQLite would make a new one.
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
    /// The events that an acknowledged change survives.
    enum Durability {
        /// Power failures.
        case full
        /// The death of every process.
        case normal
    }

    /// A removed or replaced file can still be written, and every change that is acknowledged then would be lost.
    private func requireSameFile() throws(QueueError) {
        let found = try Self.requireFile(path)
        guard found.inode == file.inode, found.device == file.device else {
            throw .unavailable(.missing, detail: "another file lies at its path now")
        }
    }

    /// A newer program may have migrated the file while it is open here; this program does not know those tables.
    private func requireKnownTables(_ database: Database) throws {
        let changes = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA schema_version"))
        if checkedTables.withLock({ $0 == changes }) { return }
        try QueueSchema.check(database)
        checkedTables.withLock { $0 = changes }
    }

    /// Runs `body` in a transaction with the write lock from its beginning, so that no other process changes what it reads.
    func write<Answer>(
        _ durability: Durability = .normal, _ body: (JobTable) throws -> Answer
    ) throws(QueueError) -> Answer {
        try requireSameFile()
        do {
            return try database.writeWithoutTransaction { database in
                // The setting cannot change within a transaction.
                if durability == .full { try database.execute(sql: "PRAGMA synchronous = FULL") }
                defer {
                    // If this fails, later changes are synchronised more often than necessary.
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

    /// Wakes waiting workers of all processes; call it after the commit.
    ///
    /// A failure to signal is no error, since the change is committed: waiting workers look again when their sleep ends.
    package func announce() {
        if let arrivals { try? arrivals.send() }
    }

    /// Tells listeners that a job has ended. A failure to signal is no error: they look again when their sleep ends.
    func announceEnd() {
        if let ends { try? ends.send() }
    }

    /// Makes a waiter that processes on this machine wake through a file beside the queue.
    public func makeWaiter() throws(QueueError) -> any JobWaiter {
        guard let arrivals else { throw .unavailable(.readOnly, detail: "the queue was opened for looking only") }
        do throws(SystemError) {
            return SQLiteWaiter(queue: self, arrivals: try arrivals.makeListener())
        } catch {
            throw QueueError(error)
        }
    }
}

/// The waiter of an `SQLiteQueue`.
struct SQLiteWaiter: JobWaiter {
    let queue: SQLiteQueue
    let arrivals: FileSignal.Listener

    /// Wakes all waiting workers, those of other processes too: a claim that finds no job costs less than a second watch.
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
