internal import Access
internal import Documents
internal import Library
internal import Linux
internal import Media
internal import Objects

/// A resumable upload of a file that becomes an object of the bucket. It blocks.
struct ResumableFile: Sendable {
    let desk: FileDesk
    /// The person whose path it is.
    let owner: ID<Person>
    let upload: Upload
    let path: ObjectPath
    let isUpsert: Bool
    let fileID: ObjectID

    private var library: DocumentLibrary { desk.library }

    /// Adds a new upload to the store.
    static func begin(
        _ path: ObjectPath, isUpsert: Bool, length: Int64?, notes: FileNotes, desk: FileDesk,
        in memory: MemoryBudget.Share?
    ) throws(FileError) -> (ResumableFile, FileIntake) {
        let owner = try desk.checkWritable(path, replacing: isUpsert)
        return try FileDesk.asking { () throws(DocumentError) in
            let (upload, intake) = try desk.library.beginFileUpload(
                of: owner, by: desk.caller.acting(for: owner)?.actor ?? owner, length: length, in: memory,
                metadata: [JSON.Member("object", .string(path.text)), JSON.Member("upsert", .bool(isUpsert))]
                    + (notes.isEmpty ? [] : [JSON.Member("notes", notes.stored)]))
            return (
                ResumableFile(
                    desk: desk, owner: owner, upload: upload, path: path, isUpsert: isUpsert,
                    fileID: intake.file.id), intake
            )
        }
    }

    private init(
        desk: FileDesk, owner: ID<Person>, upload: Upload, path: ObjectPath, isUpsert: Bool, fileID: ObjectID
    ) {
        self.desk = desk
        self.owner = owner
        self.upload = upload
        self.path = path
        self.isUpsert = isUpsert
        self.fileID = fileID
    }

    /// - Throws: where the caller has no such upload of a file.
    init(_ id: String, isUpsert: Bool, desk: FileDesk) throws(FileError) {
        guard let id = ID<Upload>(id) else { throw .noObject }
        upload = try Self.upload(id, desk)
        guard let text = upload.metadata["object"]?.string, let path = try? ObjectPath(text),
            let owner = desk.owner(of: path),
            let file = upload.metadata["file"]?.string.flatMap(ObjectID.init(rawValue:))
        else { throw .noObject }
        self.desk = desk
        self.owner = owner
        self.path = path
        self.isUpsert = isUpsert || upload.metadata["upsert"]?.bool == true
        fileID = file
    }

    /// An upload within the caller's reach; of everybody's, only open ones are found.
    private static func upload(_ id: ID<Upload>, _ desk: FileDesk) throws(FileError) -> Upload {
        do throws(DocumentError) {
            switch desk.caller.reach {
            case .nobody: throw .notFound(.upload)
            case .person(let person): return try desk.library.store.upload(id, of: person)
            case .everybody:
                let upload = try desk.library.store.upload(id)
                guard upload.end == nil, upload.expires > .now else { throw .notFound(.upload) }
                return upload
            }
        } catch {
            throw FileError(error)
        }
    }

    var isFinished: Bool {
        if case .finished = upload.end { true } else { false }
    }

    /// The number of bytes that arrived.
    func byteCount() throws(FileError) -> Int64 {
        if isFinished { return upload.length ?? 0 }
        return try FileDesk.converting { () throws(ObjectError) in try library.objects.incoming(fileID).byteCount }
    }

    /// Opens the file, as soon as an earlier request lets go of it; `nil` where it does not.
    func open(_ turn: UploadTurn, in memory: MemoryBudget.Share?) throws(FileError) -> FileIntake? {
        let deadline = Time.monotonic + .seconds(5)
        while true {
            do throws(ObjectError) {
                return library.intake(of: upload, try library.objects.resume(fileID, in: memory))
            } catch {
                guard error == .busy else { throw FileError(error) }
                if Time.monotonic >= deadline || turn.isOvertaken { return nil }
                Time.sleep(.milliseconds(20))
            }
        }
    }

    /// Stores the whole file under its path, which ends the upload.
    func finish(_ file: FileIntake) throws {
        _ = try desk.commit(file, to: path, replacing: isUpsert, FileNotes(stored: upload.metadata["notes"]))
    }

    /// Gives the upload up.
    func terminate(_ file: FileIntake) throws(FileError) {
        try FileDesk.asking { () throws(DocumentError) in
            try file.discard()
            try library.store.removeUpload(upload.id, of: owner)
        }
    }
}
