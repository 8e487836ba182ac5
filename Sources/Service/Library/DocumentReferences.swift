public import Documents
public import Objects

/// The rows of documents, as the store of their files asks for them.
public struct DocumentReferences: ObjectReferences {
    private let store: any DocumentStore

    /// The rows of a store.
    public init(_ store: any DocumentStore) { self.store = store }

    /// One query.
    public func isReferenced(_ path: ObjectPath) throws(ObjectError) -> Bool {
        do throws(DocumentError) {
            return try store.hasVersion(withFile: path.text)
        } catch {
            throw .unavailable(detail: "rows: \(error.message) \(error.detail)")
        }
    }
}
