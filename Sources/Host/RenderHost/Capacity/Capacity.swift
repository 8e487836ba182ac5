public import Media

/// The share of the machine that all children of a host together may take.
public struct Capacity: Hashable, Sendable {
    /// Private memory, in bytes: a task reserves its limit, and waits while that much is not free. `nil`: half of the
    /// machine's memory, or of this process's share of it.
    public var memoryByteCount: UInt64?
    /// The most children that run at once.
    public var childCount: Int
    /// The most tasks of one class that wait; the next one is turned away.
    public var waitingCount: Int

    /// Whether renderers and children get a control group of their own, with a bound on their memory together that the
    /// kernel keeps (cgroup v2, delegated). This process moves to a group beside it.
    public var controlGroup: Preference

    /// A share; by default half of the memory, without a control group.
    public init(
        memoryByteCount: UInt64? = nil, childCount: Int = 64, waitingCount: Int = 256, controlGroup: Preference = .no
    ) {
        self.controlGroup = controlGroup
        self.memoryByteCount = memoryByteCount
        self.childCount = childCount
        self.waitingCount = waitingCount
    }
}
