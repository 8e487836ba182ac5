internal import Synchronization

/// The shared budget for retries of all requests of a client. If most requests fail, retrying all of them would only
/// add to the store's load.
///
/// As in Amazon's clients, a retry costs 5 of 500, and each successful request returns 1.
final class RetryBudget: Sendable {
    private let left: Mutex<Int>
    private let most: Int
    private static let price = 5

    init(_ most: Int = 500) {
        self.most = most
        left = Mutex(most)
    }

    /// Pays for a retry; `false` if too little is left.
    func spend() -> Bool {
        left.withLock { left in
            guard left >= Self.price else { return false }
            left -= Self.price
            return true
        }
    }

    /// Notes a successful request.
    func refill() {
        left.withLock { $0 = min(most, $0 + 1) }
    }
}
