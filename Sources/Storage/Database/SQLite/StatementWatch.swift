internal import GRDBSQLite
internal import Linux

/// Ends the statements of a connection once a limit is reached: SQLite asks it every few steps of its virtual machine.
final class StatementWatch {
    private let end: Duration
    private let isWanted: @Sendable () -> Bool
    /// The watch over the transaction in which this one watches a statement.
    private let outer: StatementWatch?

    init(_ limit: SQLLimit, inside outer: StatementWatch? = nil) {
        end = Time.monotonic + limit.duration
        isWanted = limit.isWanted
        self.outer = outer
    }

    /// About half a microsecond. A step that looks for a pattern in a long text can take a thousand times as long.
    private static let stepsBetweenLooks: Int32 = 20

    /// Runs `body`, in which the connection's statements end with `SQLITE_INTERRUPT` once the limit is reached.
    func over<Answer>(_ connection: OpaquePointer?, _ body: () throws -> Answer) throws -> Answer {
        set(on: connection)
        // Sound: the handler is taken away before `self` can go.
        defer { if let outer { outer.set(on: connection) } else { sqlite3_progress_handler(connection, 0, nil, nil) } }
        return try withExtendedLifetime(self, body)
    }

    private func set(on connection: OpaquePointer?) {
        sqlite3_progress_handler(
            connection, Self.stepsBetweenLooks,
            { watch in Unmanaged<StatementWatch>.fromOpaque(watch!).takeUnretainedValue().isOver ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// Many short statements have few steps each: so this is asked before each, too.
    ///
    /// - Throws: `stopped` once the limit is reached.
    func check() throws {
        if isOver { throw SQLiteFault(trouble: .stopped, description: "the transaction took too long") }
    }

    private var isOver: Bool { Time.monotonic >= end || !isWanted() || outer?.isOver == true }
}
