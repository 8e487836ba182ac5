internal import Synchronization

/// What all requests of a client may spend on further tries: where most requests fail, trying all of them again would only add to
/// the store's load.
///
/// As in Amazon's clients: a further try costs 5 of 500, and each request that succeeds gives 1 back.
final class RetryBudget: Sendable {
    private let left: Mutex<Int>
    private let most: Int
    private static let price = 5

    init(_ most: Int = 500) {
        self.most = most
        left = Mutex(most)
    }

    /// Pays for a further try; `false` where nothing is left.
    func spend() -> Bool {
        left.withLock { left in
            guard left >= Self.price else { return false }
            left -= Self.price
            return true
        }
    }

    /// Notes a request that succeeded.
    func refill() {
        left.withLock { $0 = min(most, $0 + 1) }
    }
}
