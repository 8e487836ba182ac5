public import Media

/// Shorter calls for a caller that needs no permission check and has no limit.
extension DocumentStore {
    /// Gives a file its row, without a permission check.
    @discardableResult
    public func add(
        _ new: NewObject, replacing: Bool = false, allowed: Int64? = nil, arrival: ObjectArrival? = nil
    ) throws(DocumentError) -> StoredObject {
        try add(new, replacing: replacing, allowed: allowed, arrival: arrival) { () throws(DocumentError) in true }
    }

    /// Makes several changes atomic that were decided on before.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value { try transaction(of: [], body) }

    /// Removes an object, wherever it is.
    @discardableResult
    public func removeObject(_ id: ObjectID) throws(DocumentError) -> Bool { try removeObject(id, at: nil) }

    /// Makes a change and removes an object unless it is `nil`: both or neither.
    public func removeObject(_ id: ObjectID?, with change: () throws -> Void) throws {
        try transaction {
            try change()
            if let id { try removeObject(id) }
        }
    }

    /// Stores a version without a permission check.
    public func add(_ new: NewDocument) throws(DocumentError) -> Document {
        try add(new) { () throws(DocumentError) in true }
    }

    /// Makes a link on behalf of the owner.
    public func addLink(
        to id: ID<Document>, of owner: ID<Person>, permission: ShareLink.Permission, lifetime: Duration
    ) throws(DocumentError) -> ShareLink {
        try addLink(to: id, of: owner, by: owner, permission: permission, lifetime: lifetime)
    }
}
