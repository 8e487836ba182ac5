public import Documents
public import Media
public import Objects

extension DocumentLibrary {
    /// Opens a version's file for reading.
    ///
    /// - Throws: `notFound` if the file is gone; `quarantined`.
    public func open(_ document: Document) throws(DocumentError) -> any ObjectReader {
        let object = try Self.object(of: document)
        return try DocumentError.converting { () throws(ObjectError) in try objects.open(object) }
    }

    /// The object whose bytes may be served for a version.
    ///
    /// - Throws: as `open`.
    static func object(of document: Document) throws(DocumentError) -> ObjectID {
        guard let object = document.file.object else { throw .notFound(.file) }
        if document.state == .quarantined { throw .quarantined }
        return object
    }

    /// An address of a version's file at the store itself; `nil` if the store offers none.
    ///
    /// - Throws: as `open`.
    public func address(of document: Document, _ terms: DirectAddressTerms) throws(DocumentError) -> String? {
        let object = try Self.object(of: document)
        return try DocumentError.converting { () throws(ObjectError) in try objects.address(of: object, terms) }
    }

    /// Copies a file of the bucket to another path.
    ///
    /// - Parameters:
    ///   - replacing: whether another file at the new path is replaced.
    ///   - owner: the owner of the new path.
    /// - Throws: `notFound` if the object is gone; `taken`, `referenced`, `overQuota`, `tooMany`.
    public func copy(
        _ object: StoredObject, to path: ObjectPath, of owner: ID<Person>, replacing: Bool
    ) throws(DocumentError) -> StoredObject {
        let id = try announce(object.byteCount, of: owner)
        do throws(DocumentError) {
            try DocumentError.converting { () throws(ObjectError) in try objects.copy(object.id, to: id) }
            return try keep(
                NewObject(id, copying: object, owner: owner, path: path.text), replacing: replacing, .intake
            ) { () throws(DocumentError) in true }
        } catch {
            endIntake(of: id, leavesBytes: true)
            throw error
        }
    }
}
