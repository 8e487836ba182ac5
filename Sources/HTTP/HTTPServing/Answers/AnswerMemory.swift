internal import Linux

/// The memory of answers from when they are written until their clients have read them. Small ones take nothing of it.
package struct AnswerMemory: Sendable {
    private let budget: MemoryBudget

    /// What all answers of the process share.
    package static let shared = AnswerMemory(byteCount: 128 << 20)

    /// Memory of which nothing is used.
    package init(byteCount: Int) {
        budget = MemoryBudget(byteCount: byteCount)
    }

    /// The bytes of all answers that have taken a share.
    package var usedByteCount: Int { budget.usedByteCount }

    /// Takes room for a further piece of an answer. An answer never gets more than it leaves to others, so that slow readers of a few large
    /// ones do not use up everything.
    ///
    /// - Parameter held: the bytes that the answer has already.
    /// - Throws: `overloaded`.
    func take(_ byteCount: Int, besides held: Int) throws(ServingError) -> MemoryBudget.Share {
        guard held <= budget.byteCount - budget.usedByteCount, let share = budget.takeNow(byteCount) else {
            throw .overloaded
        }
        return share
    }
}
