public import Media

/// Shorter calls, for who may do so in any case and has no bound.
extension DocumentStore {
    /// Gives a file its row for somebody who may do so in any case.
    @discardableResult
    public func add(
        _ new: NewObject, replacing: Bool = false, allowed: Int64? = nil, arrival: ObjectArrival? = nil
    ) throws(DocumentError) -> StoredObject {
        try add(new, replacing: replacing, allowed: allowed, arrival: arrival) { () throws(DocumentError) in true }
    }

    /// Makes several changes one that were decided about before.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value { try transaction(of: [], body) }

    /// Removes an object, wherever it is.
    @discardableResult
    public func removeObject(_ id: ObjectID) throws(DocumentError) -> Bool { try removeObject(id, at: nil) }

    /// Makes a change, and removes an object unless it is `nil`: both or neither.
    public func removeObject(_ id: ObjectID?, with change: () throws -> Void) throws {
        try transaction {
            try change()
            if let id { try removeObject(id) }
        }
    }

    /// Stores a version for somebody who may do so in any case.
    public func add(_ new: NewDocument) throws(DocumentError) -> Document {
        try add(new) { () throws(DocumentError) in true }
    }

    /// Makes a link by the owner.
    public func addLink(
        to id: ID<Document>, of owner: ID<Person>, permission: ShareLink.Permission, lifetime: Duration
    ) throws(DocumentError) -> ShareLink {
        try addLink(to: id, of: owner, by: owner, permission: permission, lifetime: lifetime)
    }
}
