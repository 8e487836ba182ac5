/// A moment of the wall clock, to the millisecond: what several processes and restarts share.
public struct QueueInstant: Hashable, Comparable, Sendable {
    /// Since 1970-01-01 00:00 UTC.
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The end of the year 9999: no time of a job is later, and what is stored beyond it is none.
    static let latest = QueueInstant(milliseconds: 253_402_300_799_999)

    public static func < (left: QueueInstant, right: QueueInstant) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment `duration` later, cut to the millisecond.
    public static func + (instant: QueueInstant, duration: Duration) -> QueueInstant {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isTooLate) = instant.milliseconds.addingReportingOverflow(
            isTooLong ? (seconds < 0 ? .min : .max) : whole)
        if isTooLate { return QueueInstant(milliseconds: seconds < 0 ? .min : .max) }
        return QueueInstant(milliseconds: sum &+ attoseconds / 1_000_000_000_000_000)
    }

    public static func - (instant: QueueInstant, duration: Duration) -> QueueInstant {
        instant + (.zero - duration)
    }

    /// How much later `left` is.
    public static func - (left: QueueInstant, right: QueueInstant) -> Duration {
        .milliseconds(left.milliseconds) - .milliseconds(right.milliseconds)
    }
}
