internal import Linux
internal import SQL
internal import Synchronization

/// The server's wall clock, which all hosts share: a host whose own clock is wrong does not take away the leases of others.
///
/// The distance between the server's clock and this host's monotonic one is measured now and then; in between nothing is asked.
public final class ServerClock: Sendable {
    private let database: PostgreSQLDatabase
    private let state = Mutex(State())

    private struct State {
        /// Microseconds to add to the monotonic clock; `nil` before the first measurement.
        var offset: Int64?
        var measured: Duration = .zero
    }

    /// A clock that has measured nothing yet.
    public init(_ database: PostgreSQLDatabase) { self.database = database }

    /// Microseconds since 1970 by the server's clock; by this host's where the server was never reached.
    public var microseconds: Int64 {
        state.withLock { $0.offset }.map { $0 + Self.monotonic() } ?? Time.wall / 1000
    }

    /// Measures again where the last time is long ago. To be called outside transactions.
    ///
    /// - Throws: `PostgreSQLError`; the clock goes on by the old distance then.
    public func refresh() throws {
        let now = Time.monotonic
        let isFresh = state.withLock { $0.offset != nil && now - $0.measured < Self.interval }
        if isFresh { return }
        var offset: Int64?
        try database.transaction(.reading) { session in
            // The transaction is open, so this is one round trip, and the server's moment lies in its middle.
            _ = try session.integer("SELECT 1")
            let before = Self.monotonic()
            let moment = try session.integer("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)")
            let after = Self.monotonic()
            offset = moment.map { $0 - (before + after) / 2 }
        }
        state.withLock { state in
            if let offset { state.offset = offset }
            state.measured = now
        }
    }

    private static let interval: Duration = .seconds(60)

    private static func monotonic() -> Int64 {
        let (seconds, attoseconds) = Time.monotonic.components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}
