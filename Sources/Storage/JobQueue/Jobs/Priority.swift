/// The urgency of a job: a lower number is claimed sooner.
public enum Priority: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// A person is looking at a placeholder.
    case interactive = 0
    /// A person has sent a file.
    case upload = 1
    /// Nobody is waiting.
    case backfill = 2

    /// Whether `left` is less urgent than `right`.
    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue > right.rawValue }
}
