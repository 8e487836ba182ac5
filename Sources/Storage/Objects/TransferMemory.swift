public import Linux

/// The memory that all transfers of a process share. It bounds what a stranger can make large, slow or idle.
public struct TransferMemory: Sendable {
    /// Bytes that have arrived and are not yet stored.
    public let uploads: MemoryBudget
    /// Bytes that were read and that no reader has taken yet.
    public let reading: MemoryBudget

    /// The memory as two budgets.
    ///
    /// - Parameters:
    ///   - uploads: the budget for uploads in bytes.
    ///   - reading: the budget for reading in bytes.
    public init(uploads: Int = 192 << 20, reading: Int = 128 << 20) {
        self.uploads = MemoryBudget(byteCount: uploads)
        self.reading = MemoryBudget(byteCount: reading)
    }
}
