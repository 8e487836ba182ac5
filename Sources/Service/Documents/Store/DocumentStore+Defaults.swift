public import Media

/// Shorter calls, for who may do so in any case and has no bound.
extension DocumentStore {
    /// Gives a file its row for somebody who may do so in any case.
    @discardableResult
    public func add(
        _ new: NewObject, replacing: Bool = false, allowed: Int64? = nil, upload: ID<Upload>? = nil
    ) throws(DocumentError) -> StoredObject {
        try add(new, replacing: replacing, allowed: allowed, upload: upload) { () throws(DocumentError) in true }
    }

    /// Whether an object has a row, be it readable or not.
    public func hasObject(_ id: ObjectID) throws(DocumentError) -> Bool { try unknownObjects(among: [id]).isEmpty }

    /// Removes an object, wherever it is.
    @discardableResult
    public func removeObject(_ id: ObjectID) throws(DocumentError) -> Bool { try removeObject(id, at: nil) }

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

    /// An upload without a bound of bytes.
    public func addUpload(
        of owner: ID<Person>, by uploader: ID<Person>, metadata: JSON, length: Int64?, lifetime: Duration
    ) throws(DocumentError) -> Upload {
        try addUpload(
            of: owner, by: uploader, metadata: metadata, length: length, lifetime: lifetime, allowed: nil)
    }

    /// A length without a bound of bytes.
    @discardableResult
    public func declareLength(
        _ length: Int64, of id: ID<Upload>, owner: ID<Person>
    ) throws(DocumentError) -> Upload {
        try declareLength(length, of: id, owner: owner, allowed: nil)
    }
}
