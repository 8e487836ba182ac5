import GRDBSQLite
import Synchronization

/// Counts what all connections to SQLite of this process do: statements, and the steps of SQLite's virtual machine, of which each row that is
/// read takes a few. So a cost is the same on every machine and beside every load.
///
/// It has to begin before the first connection is opened.
enum StatementCounter {
    /// What was done since a reading before.
    struct Cost: Hashable, CustomStringConvertible {
        var statements = 0
        var steps = 0
        /// Rows that were read one after another, without an index.
        var scanned = 0

        var description: String { "\(statements) statements, \(steps) steps, \(scanned) scanned" }
    }

    private static let total = Mutex(Cost())
    private static let registered: Int32 = sqlite3_auto_extension(
        unsafeBitCast(onOpen, to: (@convention(c) () -> Void).self))

    private typealias Opening =
        @convention(c) @Sendable (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32

    /// Called by SQLite for every connection that is opened (sqlite.org/c3ref/auto_extension.html).
    private static let onOpen: Opening = { connection, _, _ in
        sqlite3_trace_v2(
            connection, UInt32(SQLITE_TRACE_PROFILE),
            { _, _, statement, _ in
                // A statement has ended.
                StatementCounter.note(OpaquePointer(statement))
                return 0
            }, nil)
    }

    private static func note(_ statement: OpaquePointer?) {
        let steps = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1))
        let scanned = Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
        total.withLock { total in
            total.statements += 1
            total.steps += steps
            total.scanned += scanned
        }
    }

    /// Begins to count, once for the process.
    static func begin() { precondition(registered == SQLITE_OK, "SQLite takes no extension") }

    /// What `body` costs, with all that this process does meanwhile.
    static func cost(_ body: () async throws -> Void) async rethrows -> Cost {
        let before = total.withLock { $0 }
        try await body()
        return total.withLock { now in
            Cost(
                statements: now.statements - before.statements, steps: now.steps - before.steps,
                scanned: now.scanned - before.scanned)
        }
    }
}
