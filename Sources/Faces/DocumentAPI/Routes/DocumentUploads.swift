internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import Library
internal import Linux
internal import Media
internal import Objects
internal import People

/// The resumable uploads of one person, which become documents: `Document-Id` names the document.
struct DocumentUploads: ResumableUploads {
    let library: DocumentLibrary
    let files: BlockingPool
    let authenticator: any Authenticator
    let caller: Caller
    /// The address of all uploads.
    let place: String

    var limits: TusLimits { library.tusLimits }

    /// Checks each time whether the caller may still change things: sending may take long.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await authenticator.requireRight(of: caller, toChange: caller.right == .manage)
        return try await files.run(body)
    }

    func runInAnyCase<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await files.run(body)
    }

    func room(for creation: TusCreation) async throws -> MemoryBudget.Share? {
        creation.hasPiece ? try await library.objects.room(for: creation.length) : nil
    }

    func room(for known: Upload) async throws -> MemoryBudget.Share? {
        try await library.objects.room(for: known.length)
    }

    func begin(_ creation: TusCreation, in room: MemoryBudget.Share?) throws -> OpenUpload {
        var texts: [String: String] = [:]
        for key in creation.metadata.keys { texts[key] = creation.metadata[key] }
        // The name that tus' own clients use.
        if texts["file_name"] == nil { texts["file_name"] = texts["filename"] }
        return try library.beginUpload(
            for: .document(texts: texts), length: creation.length, owner: caller.owner, uploader: caller.actor,
            in: room)
    }

    func known(_ open: OpenUpload) -> Upload { open.upload }

    func location(of known: Upload) -> String { "\(place)/\(known.id)" }

    func find(_ id: String) throws -> Upload {
        guard let id = ID<Upload>(id) else { throw DocumentError.notFound(.upload) }
        let upload = try library.store.upload(id, of: caller.owner)
        guard case .document = upload.purpose else { throw DocumentError.notFound(.upload) }
        return upload
    }

    func state(of known: Upload) throws -> TusUpload {
        if case .refused(let message) = known.state { throw DocumentError.conflict(message: message) }
        return TusUpload(known, offset: try library.arrivedByteCount(of: known))
    }

    func isReceiving(_ known: Upload) -> Bool { known.state == .receiving }

    func open(_ known: Upload, in room: MemoryBudget.Share?) throws -> OpenUpload? {
        try library.openUpload(known, in: room)
    }

    func state(of open: OpenUpload) -> TusUpload { TusUpload(open.upload, offset: open.byteCount) }

    func declare(_ length: Int64, of open: OpenUpload) throws -> OpenUpload {
        var open = open
        open.upload = try library.declareLength(length, of: open.upload)
        return open
    }

    func append(_ bytes: UnsafeRawBufferPointer, to open: OpenUpload) throws { try library.append(bytes, to: open) }

    func isOvertaken(_ open: OpenUpload) -> Bool { open.isOvertaken }

    func close(_ open: OpenUpload) throws { try library.close(open) }

    func finish(_ open: OpenUpload) throws -> [HeaderField] {
        try Self.fields(try library.finish(open, uploader: caller.actor))
    }

    /// A caller who may only view is not the uploader.
    func complete(_ known: Upload) throws -> [HeaderField]? {
        try library.finish(known, uploader: caller.right == .manage ? caller.actor : nil).map(Self.fields)
    }

    private static func fields(_ upload: Upload) throws -> [HeaderField] {
        switch upload.state {
        case .stored(let document): return document.map { [HeaderField("Document-Id", $0.text)] } ?? []
        case .refused(let message): throw DocumentError.conflict(message: message)
        case .receiving, .checking, .finishing: throw TusError.locked
        }
    }

    func terminate(_ known: Upload) throws {
        guard try library.endUpload(known) else { throw TusError.finished }
    }
}

extension TusUpload {
    /// An upload as the store has it.
    fileprivate init(_ upload: Upload, offset: Int64) {
        self.init(length: upload.length, offset: offset, expires: HTTPDate(upload.expires), metadata: TusMetadata())
    }
}

extension HTTPDate {
    /// A moment cut to the second.
    init(_ instant: Instant) { self.init(seconds: instant.microseconds / 1_000_000) }
}
