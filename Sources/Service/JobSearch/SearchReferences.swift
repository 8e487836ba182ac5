public import Objects
public import SearchDatabase

/// The rows of searches, as the store of their files asks for them.
public struct SearchReferences: ObjectReferences {
    private let searches: SQLSearchStore

    /// The rows of a store.
    public init(_ searches: SQLSearchStore) { self.searches = searches }

    /// One query.
    public func isReferenced(_ path: ObjectPath) throws(ObjectError) -> Bool {
        do throws(SearchError) {
            return try searches.hasSearch(ofFile: path.text)
        } catch {
            throw .unavailable(detail: "rows: \(error)")
        }
    }
}
