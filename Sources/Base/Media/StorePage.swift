/// A part of what a store lists piece by piece.
///
/// Only the store knows where its list ends, and says so by `next`. How many elements a part has tells nothing: what cannot be read is
/// left out of it.
public struct StorePage<Element: Sendable, Place: Sendable>: Sendable {
    /// What could be read, in the list's order; may be empty although more follows.
    public let elements: [Element]
    /// What could not be read, by the words that the log has for it.
    public let unreadable: [String]
    /// The place behind which the next part begins; `nil` at the end of the list.
    public let next: Place?

    /// A part as a store has read it.
    public init(_ elements: [Element], unreadable: [String] = [], next: Place?) {
        self.elements = elements
        self.unreadable = unreadable
        self.next = next
    }

    /// The same part with other elements.
    public func mapping<Other>(_ transform: ([Element]) throws -> [Other]) rethrows -> StorePage<Other, Place> {
        StorePage<Other, Place>(try transform(elements), unreadable: unreadable, next: next)
    }
}

/// A place in the order of a store's list, which the store alone reads.
public struct StorePlace: Hashable, Sendable {
    /// The key of the row at the place, as the store has it.
    public let key: String

    /// The place of a row.
    public init(_ key: String) { self.key = key }
}
