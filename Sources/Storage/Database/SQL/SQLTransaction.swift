internal import Glibc

/// A transaction that is open on a thread.
///
/// Safe as `Sendable`: `open` gives it only to the thread that runs it.
public final class SQLTransaction: @unchecked Sendable {
    /// How a transaction runs.
    public enum Kind: Sendable {
        /// Reads one snapshot of the database.
        case reading
        /// Changes that survive a crash of the machine once the call returns.
        case durable
        /// Changes that survive the death of every process. A crash of the machine may undo the last ones. For work
        /// that is then repeated, and not lost.
        case fast
    }

    /// The innermost transaction of the task; tasks that were started inside inherit it.
    @TaskLocal private static var current: SQLTransaction?

    let session: any SQLSession
    let kind: Kind
    var signals: Set<SQLSignal> = []
    private let database: any SQLDatabase
    /// The transaction of another database that encloses this one.
    private let outer: SQLTransaction?
    private let thread = pthread_self()
    private var isOver = false

    init(_ session: any SQLSession, _ kind: Kind, of database: any SQLDatabase) {
        self.session = session
        self.kind = kind
        self.database = database
        outer = Self.current
    }

    /// Runs `body` so that its reads and writes of the database belong to this transaction.
    func run<Answer>(_ body: (SQLTransaction) throws -> Answer) throws -> Answer {
        defer { isOver = true }
        return try Self.$current.withValue(self) { try body(self) }
    }

    /// The transaction of a database that is open on this thread.
    ///
    /// A task that was started inside may see the transaction on another thread, and after its end. In these cases, the
    /// result is `nil`.
    static func open(of database: any SQLDatabase) -> SQLTransaction? {
        var candidate = current
        while let transaction = candidate {
            if transaction.database === database {
                return transaction.thread == pthread_self() && !transaction.isOver ? transaction : nil
            }
            candidate = transaction.outer
        }
        return nil
    }
}
