/// The database of a process, which all its stores share: an SQLite file, or a PostgreSQL server's.
public protocol SQLDatabase: AnyObject, Sendable {
    /// The SQL that it speaks.
    var dialect: SQLDialect { get }

    /// Whether a commit's answer can be lost on a network, so that a change that failed may be there.
    var mayHideCommits: Bool { get }

    /// The time since 1970 in microseconds, by the clock that all programs over the database share. Inside a transaction nothing is asked
    /// for it.
    var microseconds: Int64 { get }

    /// Runs `body` in a transaction of its own. The stores call `read`, `write` and `transaction`.
    ///
    /// - Parameters:
    ///   - locks: what it waits for first. A file has one change at a time, and needs none.
    ///   - limit: what `body` may take from there on; `nil` for the time that it needs. Beyond it, statements fail as `stopped`.
    ///   - mayRetry: whether `body` may run again where the transaction lost to another one: it changes nothing but the database.
    /// - Throws: what `body` throws, or an `SQLFault`; then nothing is changed, except where `mayHideCommits`.
    func perform<Answer>(
        _ kind: SQLTransaction.Kind, _ locks: [SQLLock], within limit: SQLLimit?, mayRetry: Bool,
        _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer

    /// Runs `body`, which makes or changes tables, in a durable transaction that may take as long as it needs. Of programs that start together
    /// one does it at a time. `body` may run again.
    func migration<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer

    /// Wakes the listeners of all processes. The stores call `announce`. A failure is no error: listeners look again by themselves.
    func send(_ signal: SQLSignal)

    /// A number that is different once any process has committed a change and sent `changes`.
    var changeNumber: Int64 { get }

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
    /// No other change has the lock in any way.
    case exclusive(Int32)
    /// No other change has the lock exclusively.
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
    /// The statement's limit has ended it.
    case stopped
    /// The statement nests too deeply.
    case tooComplex
    case other
}

extension SQLDatabase {
    /// Brings the tables of a module to this program's version, and makes them where there are none.
    ///
    /// - Throws: `SQLSchema.Mismatch`, or an `SQLFault`.
    /// - Returns: the version before.
    @discardableResult
    public func install(_ schema: SQLSchema) throws -> Int {
        // Most programs find the tables as they are to be, and wait for nobody.
        if try read({ session in try schema.found(in: session) }) == schema.version { return schema.version }
        return try migration { session in try schema.install(in: session) }
    }

    /// Checks that the tables of a module are there in this program's version.
    ///
    /// - Throws: `SQLSchema.Mismatch`, or an `SQLFault`.
    public func require(_ schema: SQLSchema) throws { try read { session in try schema.check(in: session) } }

    /// Runs `body` over one state of the database; inside a transaction, over that one's.
    public func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer {
        if let open = openTransaction { return try body(open.session) }
        return try perform(.reading, [], within: nil, mayRetry: true) { session in
            try SQLTransaction(session, .reading, of: self).run { _ in try body(session) }
        }
    }

    /// Runs `body` in one transaction of changes, which is on the disk on return, and then sends signals. Inside another one it is a part
    /// of that one, and where it fails, its part alone is taken back.
    ///
    /// One that lost to another runs again: `body` changes nothing but the database.
    /// - Parameters:
    ///   - kind: `durable` or `fast`. A durable change is never a part of a fast one.
    ///   - limit: of a transaction of its own; a part has that of the whole.
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

    /// Runs `body` once, with whatever else it does: all reads and writes of this database in it are one durable transaction, or a part of
    /// the one that is open.
    ///
    /// - Parameters:
    ///   - locks: what it waits for first.
    ///   - limit: of a transaction of its own.
    public func transaction<Answer>(
        _ locks: [SQLLock] = [], within limit: SQLLimit? = nil, _ body: () throws -> Answer
    ) throws -> Answer {
        if isInWriteTransaction { return try write(locks) { _ in try body() } }
        return try change(locks, .durable, within: limit, mayRetry: false, sending: []) { _ in try body() }
    }

    /// Whether this thread is inside a transaction of changes: what it reads there belongs to it.
    public var isInWriteTransaction: Bool { openTransaction.map { $0.kind != .reading } ?? false }

    /// Sends a signal: inside a transaction of changes once it is committed.
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
