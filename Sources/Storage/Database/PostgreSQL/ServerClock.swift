internal import Linux
internal import Synchronization

/// The server's wall clock, which all hosts share. So a host whose own clock is wrong does not take leases from others.
///
/// It measures the offset between the server's clock and this host's monotonic clock at intervals, and asks nothing in
/// between. All users of a database share one clock, so what one of them writes is never in the future of another.
public final class ServerClock: Sendable {
    private let state = Mutex(State())

    private struct State {
        /// Microseconds to add to the monotonic clock; `nil` before the first measurement.
        var offset: Int64?
        var measured: Duration = .zero
    }

    /// Microseconds since 1970 by the server's clock, or by this host's clock if the server was never reachable.
    public var microseconds: Int64 {
        state.withLock { $0.offset }.map { $0 + Self.monotonic() } ?? Time.wall / 1000
    }

    /// Measures again if the last measurement is old. Call it outside transactions.
    ///
    /// - Throws: `PostgreSQLError`; the clock then continues with the old offset.
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
            // An offset that is still possible is kept, so that a slow answer does not set the clock back.
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
    /// Measures the offset of the server's clock if the last measurement is old. Call it outside transactions.
    ///
    /// - Throws: `PostgreSQLError`; the clock then continues with the old offset.
    public func refreshClock() throws { try clock.refresh(by: self) }
}
