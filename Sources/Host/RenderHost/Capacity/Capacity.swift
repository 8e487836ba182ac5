public import Media

/// The share of the machine that all children of a host may take together.
public struct Capacity: Hashable, Sendable {
    /// Private memory, in bytes. A task reserves its limit, and waits until that much is free. `nil`: half of the
    /// machine's memory, or of this process's share of it.
    public var memoryByteCount: UInt64?
    /// The maximum number of children that run at once.
    public var childCount: Int
    /// The maximum number of waiting tasks of one class; further tasks are refused.
    public var waitingCount: Int

    /// Whether renderers and children get their own control group, in which the kernel limits their total memory
    /// (cgroup v2, delegated). This process moves to a group beside it.
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
