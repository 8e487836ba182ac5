internal import GRDBSQLite
internal import Linux

/// Ends the statements of a connection once a limit is reached. SQLite calls it every few steps of its virtual machine.
final class StatementWatch {
    private let end: Duration
    private let isWanted: @Sendable () -> Bool
    /// The watch of the transaction whose statement this one watches.
    private let outer: StatementWatch?

    init(_ limit: SQLLimit, inside outer: StatementWatch? = nil) {
        end = Time.monotonic + limit.duration
        isWanted = limit.isWanted
        self.outer = outer
    }

    /// About half a microsecond. A step that searches a long text for a pattern can take a thousand times as long.
    private static let stepsBetweenLooks: Int32 = 20

    /// Runs `body`, in which the connection's statements end with `SQLITE_INTERRUPT` once the limit is reached.
    func over<Answer>(_ connection: OpaquePointer?, _ body: () throws -> Answer) throws -> Answer {
        set(on: connection)
        // Safe: the handler is removed before `self` can be released.
        defer { if let outer { outer.set(on: connection) } else { sqlite3_progress_handler(connection, 0, nil, nil) } }
        return try withExtendedLifetime(self, body)
    }

    private func set(on connection: OpaquePointer?) {
        sqlite3_progress_handler(
            connection, Self.stepsBetweenLooks,
            { watch in Unmanaged<StatementWatch>.fromOpaque(watch!).takeUnretainedValue().isOver ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque())
    }

    /// Called before each statement too, because many short statements have few steps each.
    ///
    /// - Throws: `stopped` once the limit is reached.
    func check() throws {
        if isOver { throw SQLiteFault(trouble: .stopped, description: "the transaction took too long") }
    }

    private var isOver: Bool { Time.monotonic >= end || !isWanted() || outer?.isOver == true }
}
