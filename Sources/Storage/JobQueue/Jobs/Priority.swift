/// The urgency of a job: the lower the number, the sooner its turn.
public enum Priority: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// A person looks at a placeholder.
    case interactive = 0
    /// A person has sent a file.
    case upload = 1
    /// No person waits.
    case backfill = 2

    /// Whether `left` is less urgent than `right`.
    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue > right.rawValue }
}
