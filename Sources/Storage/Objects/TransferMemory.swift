public import Linux

/// The memory that all transfers of a process share. What a stranger can make large, slow or idle stays within it.
public struct TransferMemory: Sendable {
    /// Bytes that have arrived and are not stored yet.
    public let uploads: MemoryBudget
    /// Bytes that were read and nobody has taken yet.
    public let reading: MemoryBudget

    /// Two budgets.
    ///
    /// - Parameters:
    ///   - uploads: in bytes.
    ///   - reading: in bytes.
    public init(uploads: Int = 192 << 20, reading: Int = 128 << 20) {
        self.uploads = MemoryBudget(byteCount: uploads)
        self.reading = MemoryBudget(byteCount: reading)
    }
}
