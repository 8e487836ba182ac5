/// A moment of the wall clock, to the millisecond: what several processes and restarts share.
public struct QueueInstant: Hashable, Comparable, Sendable {
    /// Since 1970-01-01 00:00 UTC.
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (left: QueueInstant, right: QueueInstant) -> Bool { left.milliseconds < right.milliseconds }

    /// The moment `duration` later, cut to the millisecond.
    public static func + (instant: QueueInstant, duration: Duration) -> QueueInstant {
        let (seconds, attoseconds) = duration.components
        return QueueInstant(
            milliseconds: instant.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    public static func - (instant: QueueInstant, duration: Duration) -> QueueInstant {
        instant + (.zero - duration)
    }

    /// How much later `left` is.
    public static func - (left: QueueInstant, right: QueueInstant) -> Duration {
        .milliseconds(left.milliseconds - right.milliseconds)
    }
}
