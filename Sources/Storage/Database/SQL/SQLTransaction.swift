internal import Glibc

/// A transaction that is open on a thread.
///
/// Sound as `Sendable`: `open` gives it to the thread that runs it alone.
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

    /// The innermost transaction of the task, which tasks that were begun inside inherit.
    @TaskLocal private static var current: SQLTransaction?

    let session: any SQLSession
    let kind: Kind
    var signals: Set<SQLSignal> = []
    private let database: any SQLDatabase
    /// The transaction of another database inside which this one runs.
    private let outer: SQLTransaction?
    private let thread = pthread_self()
    private var isOver = false

    init(_ session: any SQLSession, _ kind: Kind, of database: any SQLDatabase) {
        self.session = session
        self.kind = kind
        self.database = database
        outer = Self.current
    }

    /// Runs `body` so that the reads and writes of the database in it belong to this transaction.
    func run<Answer>(_ body: (SQLTransaction) throws -> Answer) throws -> Answer {
        defer { isOver = true }
        return try Self.$current.withValue(self) { try body(self) }
    }

    /// The transaction of a database that is open on this thread.
    ///
    /// A task that was begun inside may know the transaction on another thread, and for longer than it is open: there it has none.
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
