/// Who waits for a job: the lower the number, the sooner its turn.
public enum Priority: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// A person looks at a placeholder.
    case interactive = 0
    /// A person has sent a file.
    case upload = 1
    /// Nobody waits.
    case backfill = 2

    /// `left` is the less urgent one.
    public static func < (left: Priority, right: Priority) -> Bool { left.rawValue > right.rawValue }
}
