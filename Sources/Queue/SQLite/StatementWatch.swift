internal import GRDBSQLite
internal import Linux
internal import SQL

/// Ends a statement whose limit is reached. SQLite asks it every hundred steps of its virtual machine.
final class StatementWatch {
    private let end: Duration
    private let isWanted: @Sendable () -> Bool

    init(_ limit: SQLLimit) {
        end = Time.monotonic + limit.duration
        isWanted = limit.isWanted
    }

    /// About two microseconds, unless a step scans a long text.
    private static let stepsBetweenLooks: Int32 = 100

    /// Runs `body`, in which the connection's statements end with `SQLITE_INTERRUPT` once the limit is reached.
    func over<Answer>(_ connection: OpaquePointer?, _ body: () throws -> Answer) throws -> Answer {
        // Sound: the handler is taken away before `self` can go.
        sqlite3_progress_handler(
            connection, Self.stepsBetweenLooks,
            { watch in Unmanaged<StatementWatch>.fromOpaque(watch!).takeUnretainedValue().isOver ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        return try withExtendedLifetime(self, body)
    }

    private var isOver: Bool { Time.monotonic >= end || !isWanted() }
}
