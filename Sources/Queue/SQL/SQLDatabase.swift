/// The database of a process, which all its stores share: an SQLite file, or a PostgreSQL server's.
public protocol SQLDatabase: AnyObject, Sendable {
    /// What people call it: the file's path, or the server's address without its password.
    var name: String { get }

    /// The SQL that it speaks.
    var dialect: SQLDialect { get }

    /// Whether a commit's answer can be lost on a network, so that a change that failed may be there.
    var mayHideCommits: Bool { get }

    /// The time since 1970 in microseconds, by the clock that all programs over the database share. Inside a transaction nothing is asked
    /// for it.
    var microseconds: Int64 { get }

    /// Runs `body` in a transaction of its own. The stores call `read`, `write` and `together`.
    ///
    /// - Parameters:
    ///   - locks: what it waits for first. A file has one change at a time, and needs none.
    ///   - isRepeatable: whether `body` may run again where the transaction lost against another one: it changes nothing but the
    ///     database.
    /// - Throws: what `body` throws, or an `SQLFault`; then nothing is changed, except where `mayHideCommits`.
    func perform<Answer>(
        _ kind: SQLTransaction.Kind, _ locks: [SQLLock], isRepeatable: Bool,
        _ body: (any SQLSession) throws -> Answer) throws -> Answer

    /// Runs `body`, which makes or changes tables, in a durable transaction that may take as long as it needs. Of programs that start together
    /// one does it at a time. `body` may run again.
    func migration<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer

    /// Looks whether the tables of modules are as this program knows them, and refuses them from now on where a newer program changes them.
    ///
    /// - Throws: `SQLSchema.Mismatch`, or an `SQLFault`.
    func require(_ schemas: [SQLSchema]) throws

    /// Tells all processes of a change, after its commit. A failure is no error: listeners look again by themselves.
    func send(_ signal: SQLSignal)

    /// How many times a signal has come so far, from any process, before the change that it tells of could be read here.
    func count(of signal: SQLSignal) -> Int64

    /// A listener for the signals from now on.
    func makeListener(_ signal: SQLSignal) throws -> any SQLListener

    /// Overwrites what deletions have left.
    func tidy() throws

    /// The database's own faults, and those of references; a sentence each.
    func structureFaults(in session: any SQLSession) throws -> [String]
}

/// What a change may be told of.
public enum SQLSignal: String, Hashable, Sendable, CaseIterable {
    /// There are jobs that workers may claim.
    case jobs
    /// Documents have changed, or a job has ended.
    case changes
}

/// The listener of one thread: signals between two waits are not lost, and wake the thread once.
public protocol SQLListener: Sendable {
    /// Waits for a signal, or until it is time to look without one.
    ///
    /// - Returns: `false` where there was none within `limit`.
    func wait(atMost limit: Duration) throws -> Bool
}

/// What a change on a server waits for: other changes with the same lock, until they have ended.
public enum SQLLock: Hashable, Sendable {
    /// No other change has the lock, alone or shared.
    case alone(Int32)
    /// No other change has the lock alone.
    case shared(Int32)
    /// No other change has the lock of the same name.
    case named(Int32, String)
}

/// An error of a database.
public protocol SQLFault: Error, CustomStringConvertible {
    /// What is wrong with it.
    var trouble: SQLTrouble { get }
}

/// What can be wrong with a database.
public enum SQLTrouble: String, Hashable, Sendable, CaseIterable {
    case full
    case readOnly
    case corrupt
    /// Another one held a lock for too long.
    case locked
    case missing
    case other
}

extension SQLDatabase {
    /// Brings the tables of modules to this program's version, in their order, and makes them where there are none.
    ///
    /// - Throws: `SQLSchema.Mismatch`, or an `SQLFault`.
    /// - Returns: the versions before.
    @discardableResult
    public func install(_ schemas: SQLSchema...) throws -> [Int] {
        let before = try migration { session in try schemas.map { try $0.install(in: session) } }
        try require(schemas)
        return before
    }

    /// Runs `body` over one state of the database; inside a transaction, over that one's.
    public func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        if let open = openTransaction { return try body(open.session) }
        return try perform(.reading, [], isRepeatable: true) { session in try entered(session, .reading) { _ in try body(session) } }
    }

    /// Runs `body` in one transaction of changes, which is on the disk on return, and then sends signals. Inside another one it is a part
    /// of that one, and where it fails, its part alone is taken back.
    ///
    /// One that lost to another runs again: `body` changes nothing but the database.
    /// - Parameter kind: `durable` or `fast`.
    public func write<Answer>(
        _ locks: [SQLLock] = [], _ kind: SQLTransaction.Kind = .durable, sending signals: Set<SQLSignal> = [],
        _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer {
        if let open = openTransaction {
            let answer = try open.session.savepoint {
                for lock in locks { try open.session.take(lock) }
                return try body(open.session)
            }
            open.signals.formUnion(signals)
            return answer
        }
        return try change(locks, kind, isRepeatable: true, sending: signals, body)
    }

    /// Runs `body` once, with whatever else it does: all reads and writes of this database in it are one transaction.
    public func together<Answer>(_ body: () throws -> Answer) throws -> Answer {
        if openTransaction != nil { return try body() }
        return try change([], .durable, isRepeatable: false, sending: []) { _ in try body() }
    }

    /// Whether this thread is inside a transaction of changes: what it reads there belongs to it.
    public var isInChange: Bool { openTransaction.map { $0.kind != .reading } ?? false }

    private func change<Answer>(
        _ locks: [SQLLock], _ kind: SQLTransaction.Kind, isRepeatable: Bool, sending signals: Set<SQLSignal>,
        _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer {
        let (answer, sent) = try perform(kind, locks, isRepeatable: isRepeatable) { session in
            try entered(session, kind) { open in (try body(session), open.signals) }
        }
        for signal in signals.union(sent) { send(signal) }
        return answer
    }

    private var openTransaction: SQLTransaction? {
        SQLTransaction.current.flatMap { $0.database === self && !$0.isOver ? $0 : nil }
    }

    /// Runs `body` so that the reads and writes in it belong to the transaction.
    private func entered<Answer>(
        _ session: any SQLSession, _ kind: SQLTransaction.Kind, _ body: (SQLTransaction) throws -> Answer
    ) throws -> Answer {
        let transaction = SQLTransaction(session, kind, of: self)
        defer { transaction.isOver = true }
        return try SQLTransaction.$current.withValue(transaction) { try body(transaction) }
    }
}

/// A transaction that is open on this thread.
///
/// Sound as `Sendable`: it is known to one thread alone, for as long as the transaction is open on that thread.
public final class SQLTransaction: @unchecked Sendable {
    /// How a transaction runs.
    public enum Kind: Sendable {
        /// Reads of one state of the database.
        case reading
        /// Changes that survive the death of the machine once the call returns.
        case durable
        /// Changes that survive the death of every process; a crash of the machine may take the last ones back. For what is repeated
        /// then, and not lost.
        case fast
    }

    @TaskLocal fileprivate static var current: SQLTransaction?

    fileprivate unowned let database: any SQLDatabase
    fileprivate let session: any SQLSession
    fileprivate let kind: Kind
    fileprivate var signals: Set<SQLSignal> = []
    /// A task that was begun inside knows the transaction for longer than it is open.
    fileprivate var isOver = false

    fileprivate init(_ session: any SQLSession, _ kind: Kind, of database: any SQLDatabase) {
        self.session = session
        self.kind = kind
        self.database = database
    }
}
