internal import Access
internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import Library
internal import Linux
internal import Media
internal import Objects

/// The resumable uploads of one caller, which become objects of the bucket.
struct BucketUploads<Work: BlockingWork>: ResumableUploads {
    let work: Work
    let objects: any ObjectStore
    let identifying: any Identifying
    let limits: TusLimits
    /// The address of all uploads.
    let place: String
    let permission: Permission
    /// Whether the request allows an object to be replaced.
    let isUpsert: Bool

    /// By what a request may write.
    enum Permission: Sendable {
        /// By the caller's own right.
        case desk(FileDesk)
        /// By an upload token, which was signed for one path.
        ///
        /// - `read` gives its claims, `desk` the desk that they open.
        case token(
            read: @Sendable () throws(WireToken.Fault) -> JSON, desk: @Sendable (_ claims: JSON) -> FileDesk?)

        /// Requires that the person who writes, or has signed, may still do so.
        func require(_ identifying: any Identifying) async throws {
            switch self {
            case .desk(let desk):
                let caller = desk.caller
                try await identifying.requireRight(of: caller, toChange: caller.right == .manage)
            case .token(let read, _):
                guard let claims = try? read(), let handedOut = HandedOut(signed: claims) else { return }
                try await identifying.require(handedOut)
            }
        }

        /// The desk of the person, and whether the token allows an object to be replaced.
        ///
        /// - Parameter path: the path that a token must name; `nil` for any.
        func desk(for path: ObjectPath?) throws(FileError) -> (desk: FileDesk, isUpsert: Bool?) {
            switch self {
            case .desk(let desk): return (desk, nil)
            case .token(let read, let makeDesk):
                let claims: JSON
                do throws(WireToken.Fault) { claims = try read() } catch {
                    throw .invalidToken("invalid signature")
                }
                guard claims["use"]?.string == "upload", let desk = makeDesk(claims),
                    path.map({ FileAddresses.names($0, in: claims) }) != false
                else { throw .otherPath }
                return (desk, claims["upsert"]?.bool == true)
            }
        }
    }

    /// An upload's file, while a request writes to it.
    struct Open: Sendable {
        let file: ResumableFile
        let incoming: FileIntake
        let turn: UploadTurn
        var length: Int64?
    }

    /// Asks each time whether the person may still change things: sending may take long.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await permission.require(identifying)
        return try await work.run(body)
    }

    func runInAnyCase<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await work.run(body)
    }

    func room(for creation: TusCreation) async throws -> MemoryBudget.Share? {
        creation.hasPiece ? try await objects.room(for: creation.length) : nil
    }

    func room(for known: ResumableFile) async throws -> MemoryBudget.Share? {
        try await objects.room(for: known.upload.length)
    }

    func begin(_ creation: TusCreation, in room: MemoryBudget.Share?) throws -> Open {
        guard creation.metadata["bucketName"] == FileAddresses.bucket else { throw FileError.noBucket }
        let path = try BucketPath.parse([creation.metadata["objectName"] ?? ""])
        let (desk, signedUpsert) = try permission.desk(for: path)
        let notes = try FileNotes(seconds: creation.metadata["cacheControl"], metadata: creation.metadata["metadata"])
        let (file, incoming) = try ResumableFile.begin(
            path, isUpsert: signedUpsert ?? isUpsert, length: creation.length, notes: notes, desk: desk, in: room)
        return open(file, incoming, desk.library.uploads.take(file.fileID))
    }

    func location(of open: Open) -> String { "\(place)/\(open.file.upload.id)" }

    func find(_ id: String) throws -> ResumableFile {
        let desk = try permission.desk(for: nil).desk
        guard let file = try? ResumableFile(id, isUpsert: isUpsert, desk: desk) else { throw TusError.notFound }
        _ = try permission.desk(for: file.path)
        return file
    }

    func end(of known: ResumableFile) throws -> [HeaderField]? { known.isFinished ? [] : nil }

    func state(of known: ResumableFile) throws -> TusUpload {
        Self.state(known, length: known.upload.length, offset: try known.byteCount())
    }

    func open(_ known: ResumableFile, in room: MemoryBudget.Share?) throws -> Open {
        let turn = known.desk.library.uploads.take(known.fileID)
        do throws(FileError) {
            if let incoming = try known.open(turn, in: room) { return open(known, incoming, turn) }
        } catch {
            known.desk.library.uploads.leave(turn)
            throw error
        }
        known.desk.library.uploads.leave(turn)
        throw TusError.locked
    }

    private func open(_ file: ResumableFile, _ incoming: FileIntake, _ turn: UploadTurn) -> Open {
        Open(file: file, incoming: incoming, turn: turn, length: file.upload.length)
    }

    func state(of open: Open) -> TusUpload {
        Self.state(open.file, length: open.length, offset: open.incoming.byteCount)
    }

    private static func state(_ file: ResumableFile, length: Int64?, offset: Int64) -> TusUpload {
        TusUpload(
            length: length, offset: offset,
            expires: HTTPDate(seconds: file.upload.expires.microseconds / 1_000_000), metadata: TusMetadata())
    }

    func declare(_ length: Int64, of open: Open) throws -> Open {
        var open = open
        open.length = try FileDesk.asking { () throws(DocumentError) in
            try open.file.desk.library.declareLength(length, of: open.file.upload).length
        }
        return open
    }

    func append(_ bytes: UnsafeRawBufferPointer, to open: Open) throws {
        try FileDesk.asking { () throws(DocumentError) in try open.incoming.append(bytes) }
    }

    func isOvertaken(_ open: Open) -> Bool { open.turn.isOvertaken }

    func close(_ open: Open) throws {
        defer { open.file.desk.library.uploads.leave(open.turn) }
        try FileDesk.asking { () throws(DocumentError) in
            // The upload, or its owner, may have been removed meanwhile.
            if try open.file.desk.library.store.hasUpload(open.file.upload.id) {
                try open.incoming.close()
            } else {
                try open.incoming.discard()
            }
        }
    }

    func finish(_ open: Open) throws -> [HeaderField] {
        defer { open.file.desk.library.uploads.leave(open.turn) }
        do {
            try open.file.finish(open.incoming)
            return []
        } catch {
            // The first error is the one that tells.
            try? open.incoming.close()
            throw error
        }
    }

    func terminate(_ known: ResumableFile) throws {
        let open = try open(known, in: nil)
        defer { known.desk.library.uploads.leave(open.turn) }
        try known.terminate(open.incoming)
    }
}
