internal import Access
internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import Library
internal import Linux
internal import Objects

/// The resumable uploads of one person, which become documents: `Document-Id` names the document.
struct DocumentUploads: ResumableUploads {
    let library: DocumentLibrary
    let files: BlockingPool
    let identifying: any Identifying
    let caller: Caller
    /// The address of all uploads.
    let place: String

    var limits: TusLimits { library.tusLimits }

    /// Asks each time whether the caller may still change things: sending may take long.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await identifying.requireRight(of: caller, toChange: caller.right == .manage)
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
        // The name by which tus' own clients send it.
        if texts["file_name"] == nil { texts["file_name"] = texts["filename"] }
        return try library.beginUpload(
            texts, length: creation.length, owner: caller.owner, uploader: caller.actor, in: room)
    }

    func location(of open: OpenUpload) -> String { "\(place)/\(open.upload.id)" }

    func find(_ id: String) throws -> Upload {
        guard let id = ID<Upload>(id) else { throw DocumentError.notFound(.upload) }
        return try library.store.upload(id, of: caller.owner)
    }

    func end(of known: Upload) throws -> [HeaderField]? {
        switch known.end {
        case nil: return nil
        case .finished(let document): return document.map { [HeaderField("Document-Id", $0.text)] } ?? []
        case .failed(let message): throw DocumentError.conflict(message: message)
        }
    }

    func state(of known: Upload) throws -> TusUpload {
        let (upload, offset) = try library.uploadStatus(known.id, of: caller.owner)
        return TusUpload(upload, offset: offset)
    }

    func open(_ known: Upload, in room: MemoryBudget.Share?) throws -> OpenUpload {
        try locking { () throws(DocumentError) in try library.openUpload(known.id, of: caller.owner, in: room) }
    }

    func state(of open: OpenUpload) -> TusUpload { TusUpload(open.upload, offset: open.intake.byteCount) }

    func declare(_ length: Int64, of open: OpenUpload) throws -> OpenUpload {
        var open = open
        open.upload = try library.declareLength(length, of: open.upload)
        return open
    }

    func append(_ bytes: UnsafeRawBufferPointer, to open: OpenUpload) throws { try open.intake.append(bytes) }

    func isOvertaken(_ open: OpenUpload) -> Bool { open.turn.isOvertaken }

    func close(_ open: OpenUpload) throws { try library.close(open) }

    func finish(_ open: OpenUpload) throws -> [HeaderField] {
        [HeaderField("Document-Id", try library.finish(open, uploader: caller.actor).id.text)]
    }

    func terminate(_ known: Upload) throws {
        try locking { () throws(DocumentError) in try library.endUpload(known.id, of: caller.owner) }
    }

    /// An upload that another request does not let go of is locked.
    private func locking<Value>(_ body: () throws(DocumentError) -> Value) throws -> Value {
        do throws(DocumentError) {
            return try body()
        } catch {
            if case .conflict = error { throw TusError.locked }
            throw error
        }
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
