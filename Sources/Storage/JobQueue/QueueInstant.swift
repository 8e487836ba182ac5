/// A moment of the wall clock, to the millisecond. Unlike a monotonic time, it means the same to several processes and
/// after a restart.
public struct QueueInstant: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01 00:00 UTC.
    public let milliseconds: Int64

    /// A moment by its distance from 1970-01-01 00:00 UTC.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The end of the year 9999. No time of a job is later; a later stored number is damage.
    static let latest = QueueInstant(milliseconds: 253_402_300_799_999)

    /// Whether `left` is before `right`.
    public static func < (left: QueueInstant, right: QueueInstant) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment `duration` later, truncated to the millisecond.
    public static func + (instant: QueueInstant, duration: Duration) -> QueueInstant {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isTooLate) = instant.milliseconds.addingReportingOverflow(
            isTooLong ? (seconds < 0 ? .min : .max) : whole)
        if isTooLate { return QueueInstant(milliseconds: seconds < 0 ? .min : .max) }
        return QueueInstant(milliseconds: sum &+ attoseconds / 1_000_000_000_000_000)
    }

    /// The moment `duration` earlier, truncated to the millisecond.
    public static func - (instant: QueueInstant, duration: Duration) -> QueueInstant {
        instant + (.zero - duration)
    }

    /// The span from `right` to `left`.
    public static func - (left: QueueInstant, right: QueueInstant) -> Duration {
        .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds)
    }
}
