internal import Media

/// The objects of a store one after another. What comes or goes meanwhile may show or not. Used by one thread at a time.
public protocol ObjectWalk: AnyObject {
    /// The next objects.
    ///
    /// - Returns: at most `limit` of them; `nil` at the end.
    func next(_ limit: Int) throws(ObjectError) -> [ObjectStatus]?
}

/// A walk over a store that finds at once where a list goes on.
public final class PagedWalk: ObjectWalk {
    private let store: any ObjectStore
    private var place: ObjectPath?
    private var isOver = false

    /// A walk from the store's first object on.
    public init(_ store: any ObjectStore) { self.store = store }

    /// A page of the store's list.
    public func next(_ limit: Int) throws(ObjectError) -> [ObjectStatus]? {
        if isOver { return nil }
        let page = try store.list(prefix: "", after: place, limit: limit)
        place = page.next
        isOver = page.next == nil
        return page.elements
    }
}
