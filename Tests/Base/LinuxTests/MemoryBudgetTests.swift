import Linux
import TestDeadline
import Testing

@Suite("A budget of memory", .deadline)
struct MemoryBudgetTests {
    /// Waits until somebody waits for a share.
    private func waiter(of budget: MemoryBudget) async throws {
        while !budget.isWaitedFor { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("Shares come back when they are released, and those who wait get theirs in turn")
    func turns() async throws {
        let budget = MemoryBudget(byteCount: 100, patience: .seconds(60))
        var first: MemoryBudget.Share? = try await budget.take(80)
        let large = Task { try await budget.take(60) }
        try await waiter(of: budget)
        #expect(first?.isWaitedFor == true)
        // There is room for it, but it has not waited as long.
        #expect(budget.takeNow(10) == nil && budget.takeNow(atMost: 10, atLeast: 1) == nil)
        let small = Task { try await budget.take(30) }
        first = nil
        let shares = try await [large.value, small.value]
        #expect(shares.map(\.byteCount) == [60, 30] && budget.usedByteCount == 90 && !budget.isWaitedFor)
    }

    @Test("Who has waited too long is told that the budget is used up, and one that is cancelled leaves its place")
    func ends() async throws {
        let budget = MemoryBudget(byteCount: 100, patience: .milliseconds(50))
        var share: MemoryBudget.Share? = try await budget.take(100)
        await #expect(throws: MemoryBudget.Exhausted.self) { try await budget.take(1) }
        let patient = MemoryBudget(byteCount: 100, patience: .seconds(60))
        let held = try await patient.take(100)
        let cancelled = Task { try await patient.take(1) }
        try await waiter(of: patient)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(!patient.isWaitedFor && held.byteCount == 100)
        share = nil
        #expect(budget.usedByteCount == 0 && share == nil)
    }

    @Test("More than everything counts as everything, and a fair share is a quarter of what is free")
    func amounts() async throws {
        let budget = MemoryBudget(byteCount: 100)
        var all: MemoryBudget.Share? = try await budget.take(1000)
        #expect(all?.byteCount == 100 && budget.takeNow(1) == nil)
        all = nil
        let shares = (0..<3).compactMap { _ in budget.takeNow(atMost: 1000, atLeast: 5) }
        #expect(shares.map(\.byteCount) == [25, 15, 15])
        let rest = budget.takeNow(45)
        #expect(rest != nil && budget.takeNow(atMost: 1000, atLeast: 5) == nil)
        withExtendedLifetime((shares, rest)) {}
    }

    @Test("A thousand tasks that take, wait, are cancelled and give back leave nothing used")
    func storm() async throws {
        let budget = MemoryBudget(byteCount: 10, patience: .milliseconds(20))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let task = Task { try await budget.take(number % 10 + 1) }
                    if number % 3 == 0 { task.cancel() }
                    let share = try? await task.value
                    await Task.yield()
                    withExtendedLifetime(share) {}
                }
            }
        }
        #expect(budget.usedByteCount == 0 && !budget.isWaitedFor)
    }
}
