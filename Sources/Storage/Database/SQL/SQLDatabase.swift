/// The database that all stores of a process share: an SQLite file, or a database on a PostgreSQL server.
public protocol SQLDatabase: AnyObject, Sendable {
    /// The SQL dialect that it uses.
    var dialect: SQLDialect { get }

    /// Whether a network can lose a commit's answer, so that a change that failed may have been made.
    var commitOutcomeUnknown: Bool { get }

    /// The time since 1970 in microseconds, by the clock that all programs of the database share. Inside a transaction,
    /// it asks nothing.
    var microseconds: Int64 { get }

    /// Runs `body` in a transaction of its own. The stores call `read`, `write` and `transaction`.
    ///
    /// - Parameters:
    ///   - locks: the locks to wait for first. A file has one change at a time, and needs none.
    ///   - limit: the time limit of `body` from there on; `nil` for none. After that, statements fail as `stopped`.
    ///   - mayRetry: whether `body` may run again if the transaction lost to another one. If so, it changes nothing but
    ///     the database.
    /// - Throws: what `body` throws, or an `SQLFault`. Nothing is changed then, unless `commitOutcomeUnknown`.
    func perform<Answer>(
        _ kind: SQLTransaction.Kind, _ locks: [SQLLock], within limit: SQLLimit?, mayRetry: Bool,
        _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer

    /// Runs `body`, which creates or alters tables, in a durable transaction without a time limit. If programs start
    /// together, one does it at a time. `body` may run again.
    func migration<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer

    /// Wakes the listeners of all processes. The stores call `announce`. A failure is not an error, because listeners
    /// also poll.
    func send(_ signal: SQLSignal)

    /// A number that differs once any process has committed a change and sent `changes`.
    var changeNumber: Int64 { get }

    /// A listener for the signals from now on.
    func makeListener(_ signal: SQLSignal) throws -> any SQLListener

    /// Overwrites the remains of deleted data.
    func tidy() throws

    /// The database's own faults, and faults of references; one sentence each.
    func structureFaults(in session: any SQLSession) throws -> [String]
}

/// The kinds of change that listeners can wait for.
public enum SQLSignal: String, Hashable, Sendable, CaseIterable {
    /// There may be jobs for workers to claim.
    case jobs
    /// Documents have changed, or a job has ended.
    case changes
}

/// The listener of one thread. Signals between two waits are not lost, and wake the thread once.
public protocol SQLListener: Sendable {
    /// Waits for a signal, or until it is time to poll without one.
    ///
    /// - Returns: `false` if there was none within `limit`.
    func wait(atMost limit: Duration) throws -> Bool
}

/// A lock of a change on a server. The change waits until other changes with the same lock have ended.
public enum SQLLock: Hashable, Sendable {
    /// No other change holds the lock in any mode.
    case exclusive(Int32)
    /// No other change holds the lock exclusively.
    case shared(Int32)
    /// No other change holds the lock of the same name.
    case named(Int32, String)
}

/// An error of a database.
public protocol SQLFault: Error, CustomStringConvertible {
    /// What is wrong with the database.
    var trouble: SQLTrouble { get }
}

/// The kinds of problem of a database.
public enum SQLTrouble: String, Hashable, Sendable, CaseIterable {
    case full
    case readOnly
    case corrupt
    /// Another program or transaction held a lock for too long.
    case locked
    case missing
    /// The statement reached its limit and was ended.
    case stopped
    /// The statement nests too deeply.
    case tooComplex
    case other
}

extension SQLDatabase {
    /// Upgrades the tables of a module to this program's version, and creates missing tables.
    ///
    /// - Throws: `SQLSchema.Mismatch`, or an `SQLFault`.
    /// - Returns: the version before.
    @discardableResult
    public func install(_ schema: SQLSchema) throws -> Int {
        // Most programs find the tables up to date, and wait for nobody.
        if try read({ session in try schema.found(in: session) }) == schema.version { return schema.version }
        return try migration { session in try schema.install(in: session) }
    }

    /// Checks that the tables of a module exist in this program's version.
    ///
    /// - Throws: `SQLSchema.Mismatch`, or an `SQLFault`.
    public func require(_ schema: SQLSchema) throws { try read { session in try schema.check(in: session) } }

    /// Runs `body` on one snapshot of the database; inside a transaction, on its snapshot.
    public func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        if let open = openTransaction { return try body(open.session) }
        return try perform(.reading, [], within: nil, mayRetry: true) { session in
            try SQLTransaction(session, .reading, of: self).run { _ in try body(session) }
        }
    }

    /// Runs `body` in one write transaction, which is on the disk on return, and then sends signals. Inside another
    /// write transaction, it is a part of that one. If it fails, only its part is rolled back.
    ///
    /// A transaction that lost to another one runs again, so `body` changes nothing but the database.
    /// - Parameters:
    ///   - kind: `durable` or `fast`. A durable change is never a part of a fast one.
    ///   - limit: the limit of a separate transaction; a part has the limit of the whole.
    public func write<Answer>(
        _ locks: [SQLLock] = [], _ kind: SQLTransaction.Kind = .durable, within limit: SQLLimit? = nil,
        sending signals: Set<SQLSignal> = [], _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer {
        guard let open = openTransaction else {
            return try change(locks, kind, within: limit, mayRetry: true, sending: signals, body)
        }
        precondition(open.kind == .durable || open.kind == kind, "a transaction cannot have such a part")
        let answer = try open.session.savepoint {
            try open.session.take(locks)
            return try body(open.session)
        }
        open.signals.formUnion(signals)
        return answer
    }

    /// Runs `body` once; it may have other effects. All its reads and writes of this database are one durable
    /// transaction, or a part of the open one.
    ///
    /// - Parameters:
    ///   - locks: the locks to wait for first.
    ///   - limit: the limit of a separate transaction.
    public func transaction<Answer>(
        _ locks: [SQLLock] = [], within limit: SQLLimit? = nil, _ body: () throws -> Answer
    ) throws -> Answer {
        if isInWriteTransaction { return try write(locks) { _ in try body() } }
        return try change(locks, .durable, within: limit, mayRetry: false, sending: []) { _ in try body() }
    }

    /// Whether this thread is inside a write transaction. If so, its reads belong to it.
    public var isInWriteTransaction: Bool { openTransaction.map { $0.kind != .reading } ?? false }

    /// Sends a signal; inside a write transaction, once it is committed.
    public func announce(_ signal: SQLSignal) {
        if let open = openTransaction, open.kind != .reading { open.signals.insert(signal) } else { send(signal) }
    }

    private func change<Answer>(
        _ locks: [SQLLock], _ kind: SQLTransaction.Kind, within limit: SQLLimit?, mayRetry: Bool,
        sending signals: Set<SQLSignal>, _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer {
        precondition(openTransaction == nil, "what is being read cannot be changed")
        let (answer, sent) = try perform(kind, locks, within: limit, mayRetry: mayRetry) { session in
            try SQLTransaction(session, kind, of: self).run { open in (try body(session), open.signals) }
        }
        for signal in signals.union(sent) { send(signal) }
        return answer
    }

    private var openTransaction: SQLTransaction? { SQLTransaction.open(of: self) }
}
