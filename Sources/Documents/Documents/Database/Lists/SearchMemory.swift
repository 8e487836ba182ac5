internal import Synchronization

/// What searches found, until the owner's documents change: the pages of a search, and several readers of it, count once.
final class SearchMemory: Sendable {
    /// A search over one state of an owner's documents.
    struct Key: Hashable {
        let owner: String
        let filters: String
        let text: String
        /// Grows with every change of the owner's documents.
        let revision: Int64
    }

    /// How many documents have the text, and which.
    struct Found {
        let count: Int
        /// The rows, where they are few.
        let numbers: [Int64]?
    }

    private struct State {
        var found: [Key: Found] = [:]
        /// The keys in the order of their arrival.
        var order: [Key] = []
        var next = 0
    }

    private static let capacity = 256
    private let state = Mutex(State())

    subscript(_ key: Key) -> Found? { state.withLock { $0.found[key] } }

    /// Keeps what was found, in place of the oldest search.
    func keep(_ found: Found, for key: Key) {
        state.withLock { state in
            if state.found.updateValue(found, forKey: key) != nil { return }
            if state.order.count < Self.capacity { return state.order.append(key) }
            state.found[state.order[state.next]] = nil
            state.order[state.next] = key
            state.next = (state.next + 1) % Self.capacity
        }
    }
}
