internal import GRDB
internal import Linux
internal import Synchronization

/// An SQLite file for several threads, and several processes on one machine.
///
/// The file is in WAL mode, so its folder must be local and writable. Reads run concurrently with each other and with
/// the one change. Deleted data is overwritten (`secure_delete`). A change waits for the changes of other processes.
public final class SQLiteDatabase: SQLDatabase {
    private let path: String
    private let busyTimeout: Duration
    private let connections: any DatabaseWriter
    private let signals: [SQLSignal: FileSignal]
    private let changes: SignalCounter?
    /// The file that was opened. Once it has been replaced or removed, nobody would see a write to it.
    private let file: FileStatus
    /// The compiled statements of each connection, by its handle.
    private let compiled = Mutex<[Int: CompiledStatements]>([:])
    /// Whether SQLite has found the file damaged or unreadable. It may then have been overwritten in place.
    private let isSuspect = Mutex(false)

    /// How a file is opened.
    public struct Options: Hashable, Sendable {
        /// How the file is used.
        public enum Use: Hashable, Sendable {
            /// By a service; a missing file is created.
            case service
            /// By a service; the file must exist.
            case existing
            /// By a command, on one connection; the file must exist.
            case command
            /// By a read-only command; every change fails as `readOnly`.
            case reading
        }

        /// How the file is used.
        public var use = Use.service
        /// The maximum number of concurrent reads in a service.
        public var readerCount = 16
        /// How long a change waits for another process's change before it fails as `locked`.
        public var busyTimeout: Duration = .seconds(5)
        /// The maximum size of the file in pages of 4 KiB, beyond which changes fail as `full`; `nil` for no limit.
        public var pageLimit: Int?

        /// The options of a service.
        public init(_ use: Use = .service) { self.use = use }
    }

    /// Opens the file.
    ///
    /// - Throws: an `SQLFault`.
    public init(path: String, options: Options = Options()) throws {
        self.path = path
        busyTimeout = options.busyTimeout
        do {
            var before: FileStatus?
            switch options.use {
            case .service, .existing:
                if options.use == .existing { _ = try FileStatus.of(path: path) }
                OwnerOnly.makeDatabase(path, endings: SQLSignal.allCases.map(\.ending))
                before = try? FileStatus.of(path: path)
                connections = try Self.opening(within: options.busyTimeout) {
                    try DatabasePool(path: path, configuration: Self.configuration(options))
                }
            case .command, .reading:
                // SQLite would create a missing file.
                before = try FileStatus.of(path: path)
                connections = try DatabaseQueue(path: path, configuration: Self.configuration(options))
            }
            file = try FileStatus.of(path: path)
            // It is unknown which of the two was opened.
            if let before, !before.isSameFile(as: file) { throw SQLiteFault.replaced(path) }
            let open = options.use == .reading ? [] : SQLSignal.allCases
            signals = try Dictionary(
                uniqueKeysWithValues: open.map { ($0, try FileSignal(path: path + $0.ending)) })
            let isService = [.service, .existing].contains(options.use)
            changes = isService ? try signals[.changes].map { SignalCounter(try $0.makeListener()) } : nil
        } catch {
            throw SQLiteFault.known(error)
        }
    }

    /// A connection with compiled statements would close only after them. A read-only connection might then close last,
    /// and it cannot empty the write-ahead log.
    deinit { compiled.withLock { $0 = [:] } }

    private static func configuration(_ options: Options) -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout.milliseconds / 1000)
        configuration.readonly = options.use == .reading
        configuration.maximumReaderCount = options.readerCount
        let pageLimit = options.pageLimit
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // In KiB, for each connection. More is not faster, because the kernel caches the file's pages.
            try database.execute(sql: "PRAGMA cache_size = -2000")
            if let pageLimit { try database.execute(sql: "PRAGMA max_page_count = \(pageLimit)") }
            try UnicodeLower.add(to: database.sqliteConnection)
        }
        return configuration
    }

    /// Opens a connection that may change a new file's journal to WAL.
    ///
    /// If two connections changed it concurrently, each would wait for the other's lock. SQLite then fails one of them
    /// immediately, whatever its busy timeout. This function retries it.
    private static func opening<Connection>(
        within wait: Duration, _ open: () throws -> Connection
    ) throws -> Connection {
        let end = Time.monotonic + wait
        while true {
            do {
                return try open()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && Time.monotonic < end {
                Time.sleep(.milliseconds(5))
            }
        }
    }

    /// Whether the file is still usable: it is the file at the path, and was neither damaged nor unreadable when last
    /// used. If `false`, open it again.
    public var isSound: Bool { isAtPath && !isSuspect.withLock { $0 } }

    private var isAtPath: Bool { (try? FileStatus.of(path: path))?.isSameFile(as: file) ?? false }

    /// Closes the file, and merges its log into it. The database must not be used afterwards.
    public func close() throws {
        // The last connection to close does so automatically, unless it is read-only.
        try emptyLog(within: busyTimeout)
        compiled.withLock { $0 = [:] }
        do { try connections.close() } catch { throw SQLiteFault.known(error) }
    }

    /// Copies a snapshot of the file to a new file; changes continue meanwhile. The copy is compact, and not yet
    /// synchronised to the disk.
    public func copy(to copy: String) throws {
        do {
            guard isAtPath else { throw SQLiteFault.replaced(path) }
            var configuration = Configuration()
            configuration.readonly = true
            let source = try DatabaseQueue(path: path, configuration: configuration)
            try source.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
        } catch {
            throw SQLiteFault.known(error)
        }
    }
}

extension SQLiteDatabase {
    /// The SQL of sqlite.org.
    public var dialect: SQLDialect { .sqlite }

    /// `false`: no network is involved.
    public var commitOutcomeUnknown: Bool { false }

    /// The machine's wall clock.
    public var microseconds: Int64 { Time.wall / 1000 }

    /// Takes the write lock at the beginning of a change. Always runs `body` once.
    public func perform<Answer>(
        _ kind: SQLTransaction.Kind, _ locks: [SQLLock], within limit: SQLLimit?, mayRetry: Bool,
        _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer {
        guard isAtPath else { throw SQLiteFault.replaced(path) }
        do {
            switch kind {
            case .reading: return try connections.read { database in try body(session(database)) }
            case .durable: return try change("FULL", within: limit, body)
            case .fast: return try change("NORMAL", within: limit, body)
            }
        } catch {
            // A kernel error comes from something else that the caller does.
            let error = error is DatabaseError ? SQLiteFault.known(error) : error
            if let fault = error as? SQLiteFault, fault.isDamage { isSuspect.withLock { $0 = true } }
            throw error
        }
    }

    private func change<Answer>(
        _ synchronous: String, within limit: SQLLimit?, _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer {
        try connections.writeWithoutTransaction { database in
            // Takes effect when it is compiled, so a cached statement would do nothing.
            try database.execute(sql: "PRAGMA synchronous = \(synchronous)")
            var answer: Answer?
            var begin = Time.monotonic
            // A waiter in another process tries the lock every 100 ms, and would not get it from a queue of long
            // changes.
            defer { if Time.monotonic - begin > .milliseconds(250) { Time.sleep(.milliseconds(110)) } }
            try database.inTransaction(.immediate) {
                begin = Time.monotonic
                answer = try watched(database, within: limit, body)
                return .commit
            }
            return answer!
        }
    }

    /// Runs `body`, and refuses the commit once the limit is reached.
    private func watched<Answer>(
        _ database: Database, within limit: SQLLimit?, _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer {
        guard let limit else { return try body(session(database)) }
        let watch = StatementWatch(limit)
        return try watch.over(database.sqliteConnection) {
            let answer = try body(session(database, watch))
            try watch.check()
            return answer
        }
    }

    private func session(_ database: Database, _ watch: StatementWatch? = nil) -> SQLiteSession {
        let connection = Int(bitPattern: database.sqliteConnection)
        let compiled = compiled.withLock { compiled in
            if let known = compiled[connection] { return known }
            let new = CompiledStatements()
            compiled[connection] = new
            return new
        }
        return SQLiteSession(database, compiled, watch)
    }

    /// Runs as any other change.
    public func migration<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        try perform(.durable, [], within: nil, mayRetry: true, body)
    }

    /// Touches the signal's file.
    public func send(_ signal: SQLSignal) { try? signals[signal]?.send() }

    /// Counts the signals, which every process sends before it answers. A command has a number that never repeats.
    public var changeNumber: Int64 { changes?.current ?? Time.wall }

    /// A listener for the signal's file.
    public func makeListener(_ signal: SQLSignal) throws -> any SQLListener {
        guard let file = signals[signal] else { throw SQLiteFault.forReading }
        do { return SQLiteListener(signals: try file.makeListener()) } catch { throw SQLiteFault.known(error) }
    }

    /// Empties the write-ahead log. SQLite overwrites deleted rows immediately, but older copies of pages stay in the
    /// log. Fails as `locked` while a reader, such as a backup, still uses these. All changes wait meanwhile.
    public func tidy() throws { try emptyLog(within: .seconds(1)) }

    /// - Parameter limit: how long it waits for readers of the log.
    private func emptyLog(within limit: Duration) throws {
        do {
            try connections.writeWithoutTransaction { [busyTimeout] database in
                func wait(atMost time: Duration) throws {
                    try database.execute(sql: "PRAGMA busy_timeout = \(Int(time.milliseconds))")
                }
                try wait(atMost: limit)
                defer { try? wait(atMost: busyTimeout) }
                _ = try database.checkpoint(.truncate)
            }
        } catch {
            throw SQLiteFault.known(error)
        }
    }

    /// Reads the whole file.
    public func structureFaults(in session: any SQLSession) throws -> [String] {
        let integrity = try session.all("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
        return integrity
            + (try session.all("PRAGMA foreign_key_check") { row in
                "a row of \(row.text(0) ?? "?") refers to a missing row of \(row.text(2) ?? "?")"
            })
    }
}

extension SQLSignal {
    /// The suffix of the database's path in the name of the signal's file.
    public var ending: String {
        switch self {
        case .jobs: "-wake"
        case .changes: "-changes"
        }
    }
}

/// The listener of an SQLite file.
private struct SQLiteListener: SQLListener {
    let signals: FileSignal.Listener

    func wait(atMost limit: Duration) throws -> Bool {
        do { return try signals.wait(atMost: limit) } catch { throw SQLiteFault.known(error) }
    }
}

/// Counts signals, without a thread of its own.
private final class SignalCounter: Sendable {
    private let listener: FileSignal.Listener
    private let count = Mutex<Int64>(0)

    init(_ listener: FileSignal.Listener) { self.listener = listener }

    /// The count after all signals that were sent before this call. If the listener fails, every call counts, so
    /// nothing is assumed to be unchanged.
    var current: Int64 {
        count.withLock { count in
            do throws(SystemError) {
                if try listener.wait(atMost: .zero) { count += 1 }
            } catch {
                count += 1
            }
            return count
        }
    }
}
