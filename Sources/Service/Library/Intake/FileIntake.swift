public import Documents
public import Linux
public import Media
public import Objects

/// One file on its way to a path in the bucket, which no document names. Used by one request at a time.
public final class FileIntake: Sendable {
    private let library: DocumentLibrary
    /// What arrived.
    public let file: any IncomingObject
    private let room: RoomReservation
    private let owner: ID<Person>
    private let upload: ID<Upload>?

    init(
        _ library: DocumentLibrary, _ file: any IncomingObject, _ room: RoomReservation, owner: ID<Person>,
        upload: ID<Upload>? = nil
    ) {
        self.library = library
        self.file = file
        self.room = room
        self.owner = owner
        self.upload = upload
    }

    /// The number of bytes that arrived.
    public var byteCount: Int64 { file.byteCount }

    /// Adds bytes.
    ///
    /// - Throws: `tooLarge`, `overQuota`, `full`; the bytes before stay.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(DocumentError) {
        let limit = library.options.maxUploadByteCount
        guard file.byteCount + Int64(bytes.count) <= limit else { throw .tooLarge(limit: limit) }
        try room.grow(to: file.byteCount + Int64(bytes.count))
        try DocumentError.converting { () throws(ObjectError) in try file.append(bytes) }
    }

    /// Stores the whole file under a path of the bucket.
    ///
    /// - Parameters:
    ///   - replacing: whether another file there is replaced.
    ///   - notes: what the client says of the file.
    ///   - isAllowed: whether the sender may still do so, asked inside the transaction that stores the row.
    /// - Throws: as `DocumentStore.add` of an object.
    public func commit(
        to path: ObjectPath, replacing: Bool, _ notes: FileNotes, if isAllowed: () throws(DocumentError) -> Bool
    ) throws(DocumentError) -> StoredObject {
        let digest = try DocumentError.converting { () throws(ObjectError) in try file.seal() }
        let facts = try facts(name: path.lastName)
        var new = NewObject(
            id: file.id, owner: owner, path: path.text, digest: digest, byteCount: file.byteCount,
            mediaType: facts?.mediaType ?? MediaType(rawValue: "application/octet-stream"),
            facts: facts.map(FactsText.init), verdict: library.firstVerdict)
        new.notes = notes
        try DocumentError.converting { () throws(ObjectError) in try file.commit() }
        defer { room.settle() }
        do throws(DocumentError) {
            return try library.keep(new, replacing: replacing, upload: upload, if: isAllowed)
        } catch {
            // Its bytes are gone, so nothing can go on with it. The first error is the one that tells.
            if let upload { _ = try? library.store.endUpload(upload, of: owner, .failed(message: error.message)) }
            throw error
        }
    }

    /// - Returns: `nil` for a file that the sniffer refuses, as an empty one.
    private func facts(name: String) throws(DocumentError) -> Facts? {
        do throws(DocumentError) {
            return try library.facts(of: file, name: name)
        } catch {
            if case .refusedType = error { return nil }
            throw error
        }
    }

    /// Keeps what arrived, for whoever goes on with it, and lets go of the file.
    public func close() throws(DocumentError) {
        try DocumentError.converting { () throws(ObjectError) in try file.close() }
    }

    /// Removes what arrived.
    public func discard() throws(DocumentError) {
        room.settle()
        try DocumentError.converting { () throws(ObjectError) in try file.discard() }
    }
}

extension DocumentLibrary {
    /// Takes over a file of a resumable upload that the caller has to itself.
    public func intake(of upload: Upload, _ file: any IncomingObject) -> FileIntake {
        FileIntake(self, file, reservation(of: upload), owner: upload.owner, upload: upload.id)
    }

    /// Begins a resumable upload whose file becomes no document.
    ///
    /// - Parameters:
    ///   - memory: the memory for the first piece.
    ///   - metadata: what the client says of the file; the name of the incoming file is added.
    /// - Throws: `overQuota`, `tooMany`.
    public func beginFileUpload(
        of owner: ID<Person>, by uploader: ID<Person>, length: Int64?, in memory: MemoryBudget.Share? = nil,
        metadata: [JSON.Member]
    ) throws(DocumentError) -> (upload: Upload, intake: FileIntake) {
        let allowed = allowedByteCount(ofUploadsOf: owner)
        let file = try DocumentError.converting { () throws(ObjectError) in try objects.begin(in: memory) }
        do throws(DocumentError) {
            let upload = try store.addUpload(
                of: owner, by: uploader,
                metadata: .object([JSON.Member("file", .string(file.id.rawValue))] + metadata), length: length,
                lifetime: Self.uploadLifetime, allowed: allowed)
            return (upload, intake(of: upload, file))
        } catch {
            try? file.discard()
            throw error
        }
    }

    /// Notes the length of an upload that began without one, which takes that room.
    ///
    /// - Throws: `conflict`; `overQuota`.
    public func declareLength(_ length: Int64, of upload: Upload) throws(DocumentError) -> Upload {
        try store.declareLength(
            length, of: upload.id, owner: upload.owner, allowed: allowedByteCount(ofUploadsOf: upload.owner))
    }
}
