internal import Linux
internal import Synchronization

/// The server's wall clock, which all hosts share: a host whose own clock is wrong does not take away the leases of others.
///
/// The distance between the server's clock and this host's monotonic one is measured now and then; in between nothing is asked. All users
/// of a database have its one clock: what one of them writes is never in the future of another.
public final class ServerClock: Sendable {
    private let state = Mutex(State())

    private struct State {
        /// Microseconds to add to the monotonic clock; `nil` before the first measurement.
        var offset: Int64?
        var measured: Duration = .zero
    }

    /// Microseconds since 1970 by the server's clock; by this host's where the server was never reached.
    public var microseconds: Int64 {
        state.withLock { $0.offset }.map { $0 + Self.monotonic() } ?? Time.wall / 1000
    }

    /// Measures again where the last time is long ago. To be called outside transactions.
    ///
    /// - Throws: `PostgreSQLError`; the clock goes on by the old distance then.
    func refresh(by database: PostgreSQLDatabase) throws {
        let now = Time.monotonic
        let isFresh = state.withLock { $0.offset != nil && now - $0.measured < Self.interval }
        if isFresh { return }
        var offsets: ClosedRange<Int64>?
        try database.transaction(.reading) { session in
            // The transaction is open, so this is one round trip.
            _ = try session.integer("SELECT 1")
            let before = Self.monotonic()
            let moment = try session.integer("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)")
            let after = Self.monotonic()
            offsets = moment.map { $0 - after...$0 - before }
        }
        state.withLock { state in
            state.measured = now
            guard let offsets else { return }
            // An offset that can be true is kept, so that a slow answer does not set the clock back.
            if let offset = state.offset, offsets.contains(offset) { return }
            state.offset = (offsets.lowerBound + offsets.upperBound) / 2
        }
    }

    private static let interval: Duration = .seconds(60)

    private static func monotonic() -> Int64 {
        let (seconds, attoseconds) = Time.monotonic.components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}

extension PostgreSQLDatabase {
    /// Measures the distance to the server's clock where the last time is long ago. To be called outside transactions.
    ///
    /// - Throws: `PostgreSQLError`; the clock goes on by the old distance then.
    public func refreshClock() throws { try clock.refresh(by: self) }
}
