public import Documents
public import Media
public import Objects

extension DocumentLibrary {
    /// Opens a version's file for reading.
    ///
    /// - Throws: `notFound` where the file is gone; `quarantined`.
    public func open(_ document: Document) throws(DocumentError) -> any ObjectReader {
        let object = try Self.object(of: document)
        return try DocumentError.converting { () throws(ObjectError) in try objects.open(object) }
    }

    /// The object whose bytes may be handed out for a version.
    ///
    /// - Throws: as `open`.
    static func object(of document: Document) throws(DocumentError) -> ObjectID {
        guard let object = document.file.object else { throw .notFound(.file) }
        if document.state == .quarantined { throw .quarantined }
        return object
    }

    /// An address of a version's file at the store itself; `nil` where the store gives none.
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
    ///   - owner: whose the new path is.
    /// - Throws: `notFound` where the object is gone; `taken`, `referenced`, `overQuota`, `tooMany`.
    public func copy(
        _ object: StoredObject, to path: ObjectPath, of owner: ID<Person>, replacing: Bool
    ) throws(DocumentError) -> StoredObject {
        let room = try reserveRoom(for: object.byteCount, of: owner)
        defer { room.settle() }
        let id = try DocumentError.converting { () throws(ObjectError) in try objects.copy(object.id) }
        return try keep(
            NewObject(id, copying: object, owner: owner, path: path.text), replacing: replacing, upload: nil
        ) { () throws(DocumentError) in true }
    }

    /// Gives stored bytes their row. Where that fails, they are removed.
    func keep(
        _ new: NewObject, replacing: Bool, upload: ID<Upload>?, if isAllowed: () throws(DocumentError) -> Bool
    ) throws(DocumentError) -> StoredObject {
        do throws(DocumentError) {
            return try store.add(
                new, replacing: replacing, allowed: options.personByteCount, upload: upload, if: isAllowed)
        } catch {
            giveUp(new.id, after: error)
            throw error
        }
    }

    /// Removes bytes whose row could not be written. The row may be there all the same: if the database's answer was lost, when it may also
    /// still come, or if the file was stored a second time. A sweep removes what is left here, unless there is a row.
    public func giveUp(_ id: ObjectID, after error: DocumentError) {
        if case .unavailable = error, store.mayHideCommits { return }
        guard (try? store.hasObject(id)) == false else { return }
        do throws(ObjectError) {
            try objects.remove(id)
        } catch {
            warn(DocumentError(error))
        }
    }
}
