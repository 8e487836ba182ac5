internal import Media
internal import Synchronization

/// The results of searches until the owner's documents change: all pages and readers of a search share one count.
final class SearchMemory: Sendable {
    /// A search over one state of an owner's documents.
    struct Key: Hashable, Sendable {
        let owner: String
        let filters: String
        let text: String
        /// Grows with every change of the owner's documents.
        let revision: Int64
    }

    /// How many documents contain the text, and which.
    struct Found: Sendable {
        let count: Int
        /// The rows, if they are few.
        let numbers: [Int64]?
    }

    private let found = Mutex(Recent<Key, Found>(cost: 256))

    subscript(_ key: Key) -> Found? { found.withLock { $0.value(for: key) } }

    func keep(_ new: Found, for key: Key) { found.withLock { $0.keep(new, for: key) } }
}
