internal import Linux

/// The memory that answers hold from the time they are written until their clients have read them. Small answers take
/// none.
package struct AnswerMemory: Sendable {
    private let budget: MemoryBudget

    /// The memory that all answers of the process share.
    package static let shared = AnswerMemory(byteCount: 128 << 20)

    /// A budget of which nothing is used.
    package init(byteCount: Int) {
        budget = MemoryBudget(byteCount: byteCount)
    }

    /// The bytes of all answers that have taken a share.
    package var usedByteCount: Int { budget.usedByteCount }

    /// Takes room for another piece of an answer. An answer never gets more than it leaves to others, so that slow
    /// readers of a few large answers do not use up all the memory.
    ///
    /// - Parameter held: the bytes that the answer already has.
    /// - Throws: `overloaded`.
    func take(_ byteCount: Int, besides held: Int) throws(ServingError) -> MemoryBudget.Share {
        guard held <= budget.byteCount - budget.usedByteCount, let share = budget.takeNow(byteCount) else {
            throw .overloaded
        }
        return share
    }
}
