internal import Synchronization

/// A memory budget that many tasks share. If it is used up, a task waits for its share, first come, first served,
/// without blocking a thread.
///
/// A holder of a share must not wait for another one: it continues with what it has, or takes more only if it is free
/// (`takeNow`). So each share comes back once its holder is done, and tasks cannot deadlock.
public final class MemoryBudget: Sendable {
    /// What all tasks together may hold.
    public let byteCount: Int
    private let patience: Duration
    private let state = Mutex(State())

    private struct State {
        var used = 0
        /// The first waiter has waited the longest.
        var waiting: [Waiter] = []
        var nextTicket = 0
    }

    private struct Waiter: Sendable {
        let ticket: Int
        let byteCount: Int
        let continuation: CheckedContinuation<Share, any Error>
    }

    /// A task got no share: others held the budget for too long, or too many tasks wait.
    public struct Exhausted: Error {
        /// The error of any budget.
        public init() {}
    }

    /// Bytes of a budget, returned when this object is released.
    public final class Share: Sendable {
        /// The number of bytes.
        public let byteCount: Int
        private let budget: MemoryBudget

        fileprivate init(_ byteCount: Int, of budget: MemoryBudget) {
            self.byteCount = byteCount
            self.budget = budget
        }

        deinit { budget.giveBack(byteCount) }

        /// Whether a task waits for a share: a holder that makes no progress should then end.
        public var isWaitedFor: Bool { budget.isWaitedFor }
    }

    /// An unused budget.
    ///
    /// - Parameters:
    ///   - byteCount: the size of the budget.
    ///   - patience: how long a task waits for its share.
    public init(byteCount: Int, patience: Duration = .seconds(15)) {
        precondition(byteCount > 0)
        self.byteCount = byteCount
        self.patience = patience
    }

    /// The most tasks that may wait; more would wait in vain.
    private static let mostWaiting = 1024

    /// The bytes of all shares.
    public var usedByteCount: Int { state.withLock { $0.used } }

    /// The number of tasks that wait for their shares.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether a task waits for its share.
    public var isWaitedFor: Bool { waitingCount > 0 }

    /// Takes a share and waits for it if necessary.
    ///
    /// - Parameter count: in bytes, capped at the whole budget.
    /// - Throws: `Exhausted`; `CancellationError`.
    public func take(_ count: Int) async throws -> Share {
        if let share = takeNow(count) { return share }
        let patience = patience
        return try await withThrowingTaskGroup(of: Share?.self) { group in
            group.addTask { try await self.wait(for: count) }
            group.addTask {
                try await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            // A share granted at the last moment is returned with the group's result.
            guard let share = try await group.next() ?? nil else { throw Exhausted() }
            return share
        }
    }

    /// Takes a share if it is free and nobody waits.
    public func takeNow(_ count: Int) -> Share? {
        let count = min(count, byteCount)
        let isFree = state.withLock { state in
            guard state.waiting.isEmpty, count <= byteCount - state.used else { return false }
            state.used += count
            return true
        }
        return isFree ? Share(count, of: self) : nil
    }

    /// Takes a fair amount: at most a quarter of the free bytes, so that later tasks find some too.
    ///
    /// - Returns: `nil` if fewer than `least` bytes are free, or a task waits.
    public func takeNow(atMost most: Int, atLeast least: Int) -> Share? {
        let count = state.withLock { state in
            let count = min(most, max(least, (byteCount - state.used) / 4 / least * least))
            guard state.waiting.isEmpty, count <= byteCount - state.used else { return 0 }
            state.used += count
            return count
        }
        return count > 0 ? Share(count, of: self) : nil
    }

    private enum Admission {
        case granted(Share)
        case waits, refused
    }

    private func wait(for count: Int) async throws -> Share {
        let count = min(count, byteCount)
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Share, any Error>) in
                switch admit(Waiter(ticket: ticket, byteCount: count, continuation: continuation)) {
                case .waits: break
                case .granted(let share): continuation.resume(returning: share)
                case .refused: continuation.resume(throwing: Exhausted())
                }
                // A cancellation before the admission found no waiter.
                if Task.isCancelled { abandon(ticket) }
            }
        } onCancel: {
            abandon(ticket)
        }
    }

    private func admit(_ waiter: Waiter) -> Admission {
        state.withLock { state in
            if state.waiting.isEmpty, waiter.byteCount <= byteCount - state.used {
                state.used += waiter.byteCount
                return .granted(Share(waiter.byteCount, of: self))
            }
            guard state.waiting.count < Self.mostWaiting else { return .refused }
            state.waiting.append(waiter)
            return .waits
        }
    }

    private func abandon(_ ticket: Int) {
        let (waiter, served) = state.withLock { state in
            let place = state.waiting.firstIndex { $0.ticket == ticket }
            // Smaller waiters behind it may fit now.
            return (place.map { state.waiting.remove(at: $0) }, serve(&state))
        }
        waiter?.continuation.resume(throwing: CancellationError())
        wake(served)
    }

    private func giveBack(_ count: Int) {
        let served = state.withLock { state in
            state.used -= count
            return serve(&state)
        }
        wake(served)
    }

    /// Grants shares to waiters in order, as long as the first one fits.
    private func serve(_ state: inout State) -> [Waiter] {
        var served: [Waiter] = []
        while let first = state.waiting.first, first.byteCount <= byteCount - state.used {
            state.used += first.byteCount
            served.append(state.waiting.removeFirst())
        }
        return served
    }

    /// Called outside the lock: a woken task may be in cancellation.
    private func wake(_ waiters: [Waiter]) {
        for waiter in waiters { waiter.continuation.resume(returning: Share(waiter.byteCount, of: self)) }
    }
}
