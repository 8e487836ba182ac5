/// A part of a list that a store returns page by page.
///
/// Only the store knows where its list ends, and says so with `next`. The number of elements does not tell: a part
/// omits what cannot be read.
public struct StorePage<Element: Sendable, Place: Sendable>: Sendable {
    /// The readable elements in the list's order; may be empty although more follow.
    public let elements: [Element]
    /// The unreadable elements, in the words of the log.
    public let unreadable: [String]
    /// The place after which the next part begins; `nil` at the end of the list.
    public let next: Place?

    /// A part as the store read it.
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

/// A place in the order of a store's list, which only the store interprets.
public struct StorePlace: Hashable, Sendable {
    /// The key of the row at the place, in the store's form.
    public let key: String

    /// The place of a row.
    public init(_ key: String) { self.key = key }
}
