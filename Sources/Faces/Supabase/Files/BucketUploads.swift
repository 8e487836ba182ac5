internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import Library
internal import Linux
internal import Media
internal import Objects
internal import People

/// The resumable uploads of one caller, which become objects of the bucket.
struct BucketUploads<Work: BlockingWork>: ResumableUploads {
    let work: Work
    let library: DocumentLibrary
    let authenticator: any Authenticator
    let limits: TusLimits
    /// The address of all uploads.
    let place: String
    let permission: Permission
    /// Whether the request allows an object to be replaced.
    let isUpsert: Bool

    /// The permission by which a request may write.
    enum Permission: Sendable {
        /// By the caller's own right.
        case desk(FileDesk)
        /// By an upload token, which was signed for one path.
        ///
        /// - `read` returns its claims, `desk` the desk that they open.
        case token(
            read: @Sendable () throws(WireToken.Fault) -> JSON, desk: @Sendable (_ claims: JSON) -> FileDesk?)

        /// Requires that the person who writes, or has signed, may still do so.
        func require(_ authenticator: any Authenticator) async throws {
            switch self {
            case .desk(let desk):
                let caller = desk.caller
                try await authenticator.requireRight(of: caller, toChange: caller.right == .manage)
            case .token(let read, _):
                guard let claims = try? read(), let handedOut = HandedOut(signed: claims) else { return }
                try await authenticator.require(handedOut)
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

    /// Checks each time whether the person may still change things: sending may take long.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await permission.require(authenticator)
        return try await work.run(body)
    }

    func runInAnyCase<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await work.run(body)
    }

    func room(for creation: TusCreation) async throws -> MemoryBudget.Share? {
        creation.hasPiece ? try await library.objects.room(for: creation.length) : nil
    }

    func room(for known: Upload) async throws -> MemoryBudget.Share? {
        try await library.objects.room(for: known.length)
    }

    func begin(_ creation: TusCreation, in room: MemoryBudget.Share?) throws -> OpenUpload {
        guard creation.metadata["bucketName"] == FileAddresses.bucket else { throw FileError.noBucket }
        let path = try BucketPath.parse([creation.metadata["objectName"] ?? ""])
        let (desk, signedUpsert) = try permission.desk(for: path)
        let notes = try FileNotes(seconds: creation.metadata["cacheControl"], metadata: creation.metadata["metadata"])
        let replacing = signedUpsert ?? isUpsert
        let owner = try desk.checkWritable(path, replacing: replacing)
        return try asking { () throws(DocumentError) in
            try library.beginUpload(
                for: .file(path: path.text, replacing: replacing, notes: notes), length: creation.length,
                owner: owner, uploader: desk.caller.acting(for: owner)?.actor ?? owner, in: room)
        }
    }

    func known(_ open: OpenUpload) -> Upload { open.upload }

    func location(of known: Upload) -> String { "\(place)/\(known.id)" }

    func find(_ id: String) throws -> Upload {
        guard let id = ID<Upload>(id) else { throw TusError.notFound }
        let desk = try permission.desk(for: nil).desk
        let upload = try found(id)
        guard let path = Self.path(of: upload), desk.owner(of: path) == upload.owner else { throw TusError.notFound }
        _ = try permission.desk(for: path)
        return upload
    }

    private func found(_ id: ID<Upload>) throws -> Upload {
        do throws(DocumentError) {
            return try library.store.upload(id, of: nil)
        } catch {
            if case .notFound = error { throw TusError.notFound }
            throw FileError(error)
        }
    }

    private static func path(of upload: Upload) -> ObjectPath? {
        guard case .file(let path, _, _) = upload.purpose else { return nil }
        return try? ObjectPath(path)
    }

    func state(of known: Upload) throws -> TusUpload {
        try Self.requireNotRefused(known)
        return Self.state(
            known, offset: try asking { () throws(DocumentError) in try library.arrivedByteCount(of: known) })
    }

    func isReceiving(_ known: Upload) -> Bool { known.state == .receiving }

    func open(_ known: Upload, in room: MemoryBudget.Share?) throws -> OpenUpload? {
        try asking { () throws(DocumentError) in try library.openUpload(known, in: room) }
    }

    func state(of open: OpenUpload) -> TusUpload { Self.state(open.upload, offset: open.byteCount) }

    private static func state(_ upload: Upload, offset: Int64) -> TusUpload {
        TusUpload(
            length: upload.length, offset: offset,
            expires: HTTPDate(seconds: upload.expires.microseconds / 1_000_000), metadata: TusMetadata())
    }

    func declare(_ length: Int64, of open: OpenUpload) throws -> OpenUpload {
        var open = open
        open.upload = try asking { () throws(DocumentError) in try library.declareLength(length, of: open.upload) }
        return open
    }

    func append(_ bytes: UnsafeRawBufferPointer, to open: OpenUpload) throws {
        try asking { () throws(DocumentError) in try library.append(bytes, to: open) }
    }

    func isOvertaken(_ open: OpenUpload) -> Bool { open.isOvertaken }

    func close(_ open: OpenUpload) throws {
        try asking { () throws(DocumentError) in try library.close(open) }
    }

    func finish(_ open: OpenUpload) throws -> [HeaderField] {
        let upload = try asSender(of: open.upload) { sender, replacing, isAllowed throws(DocumentError) in
            try library.finish(open, uploader: sender, replacing: replacing, if: isAllowed)
        }
        try Self.requireNotRefused(upload)
        guard case .stored = upload.state else { throw TusError.locked }
        return []
    }

    func complete(_ known: Upload) throws -> [HeaderField]? {
        let upload = try asSender(of: known) { sender, replacing, isAllowed throws(DocumentError) in
            try library.finish(known, uploader: sender, replacing: replacing, if: isAllowed)
        }
        guard let upload else { return nil }
        try Self.requireNotRefused(upload)
        return []
    }

    /// Finishes an upload for the sender of this request, if their right lasts until the file is stored.
    ///
    /// - Parameter finish: gets the sender, `nil` for one who may only view, and whether another file may be replaced,
    ///   which a token decides itself.
    private func asSender<Value>(
        of upload: Upload,
        _ finish: (ID<Person>?, Bool, @escaping DocumentLibrary.RightCheck) throws(DocumentError) -> Value
    ) throws -> Value {
        let (desk, signedUpsert) = try permission.desk(for: Self.path(of: upload))
        let acting = desk.caller.acting(for: upload.owner)
        let sender = desk.caller.right == .manage ? acting?.actor ?? upload.owner : nil
        var refusal: AccessError?
        do throws(DocumentError) {
            return try finish(sender, signedUpsert ?? isUpsert) { () throws(DocumentError) in
                do throws(AccessError) { try desk.requireChange() } catch { refusal = error }
                return refusal == nil
            }
        } catch {
            if let refusal { throw refusal }
            throw FileError(error)
        }
    }

    private static func requireNotRefused(_ upload: Upload) throws(FileError) {
        if case .refused(let message) = upload.state { throw .invalidRequest(message) }
    }

    func terminate(_ known: Upload) throws {
        let isRemoved = try asking { () throws(DocumentError) in try library.endUpload(known) }
        if !isRemoved { throw TusError.finished }
    }

    private func asking<Value>(_ body: () throws(DocumentError) -> Value) throws -> Value {
        try FileDesk.asking(body)
    }
}
