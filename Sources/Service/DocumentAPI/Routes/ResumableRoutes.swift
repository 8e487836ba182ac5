internal import Access
internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import NIOCore

/// Resumable uploads by tus 1.0: the metadata has `type`, `file_name`, and as they are wanted `title`, `description`, `school_id`
/// and `document_id`, whose document gets a new version.
extension DocumentAPI {
    var resumableRoutes: [Route] {
        [
            Route("OPTIONS", "/api/uploads", .anyone) { _, _ in Response(TusAnswer.options(limits)) },
            Route("POST", "/api/uploads") { request, context in
                try await tus(context) { try await create(request, context) }
            },
            Route("HEAD", "/api/uploads/{id}") { request, context in
                try await tus(context) { try await status(request, context) }
            },
            Route("PATCH", "/api/uploads/{id}") { request, context in
                try await tus(context) { try await append(request, context) }
            },
            Route("DELETE", "/api/uploads/{id}") { request, context in
                try await tus(context) { try await terminate(request, context) }
            },
        ]
    }

    private var limits: TusLimits {
        TusLimits(
            byteCount: library.options.maxUploadByteCount,
            lifetime: DocumentLibrary.uploadLifetime.components.seconds)
    }

    /// Answers the protocol's own errors as it demands; errors of documents stay JSON.
    private func tus(_ context: ServiceContext, _ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let error as TusError {
            return Response(TusAnswer.failed(error))
        } catch {
            var response = ErrorAnswer(error, context).response
            response.headers[.tusResumable] = TusAnswer.version
            return response
        }
    }

    private func read(_ request: Request) throws -> TusRequest {
        guard
            let read = try TusRequest(
                method: request.method.rawValue, headers: request.headers, limits: limits)
        else { throw TusError.notFound }
        return read
    }

    private func create(_ request: Request, _ context: ServiceContext) async throws -> Response {
        guard case .create(let creation) = try read(request) else { throw TusError.notFound }
        let caller = context.person
        var texts: [String: String] = [:]
        for key in creation.metadata.keys { texts[key] = creation.metadata[key] }
        // The name by which tus' own clients send it.
        if texts["file_name"] == nil { texts["file_name"] = texts["filename"] }
        let described = texts
        let open = try await work.run {
            try library.beginUpload(
                described, length: creation.length, owner: caller.owner, uploader: caller.actor)
        }
        var tus = TusUpload(
            length: creation.length, offset: 0, expires: HTTPDate(open.upload.expires), metadata: creation.metadata)
        let allowance = try tus.beginFirstPiece(of: creation, limits: limits)
        let document = try await take(request, context, open, &tus, allowance: allowance)
        let location = "\(context.address(of: request))/api/uploads/\(open.upload.id)"
        return Response(
            TusAnswer.created(tus, location: location, hasPiece: creation.hasPiece), document: document)
    }

    private func status(_ request: Request, _ context: ServiceContext) async throws -> Response {
        _ = try read(request)
        let id: ID<Upload> = try context.id("id", or: .upload)
        let owner = context.person.owner
        let (upload, offset) = try await work.run { try library.uploadStatus(id, of: owner) }
        let tus = TusUpload(upload, offset: offset)
        try tus.checkTime(now: HTTPDate(Instant.now))
        var document: ID<Document>?
        switch upload.end {
        case .finished(let made): document = made
        case .failed(let message): throw DocumentError.conflict(message: message)
        // The server died between the last byte and the document: the client, which has sent everything, would take it for done.
        case nil where tus.isFinished:
            document = try await opening { try library.finish(try library.openUpload(id, of: owner)) }.id
        case nil: break
        }
        return Response(TusAnswer.status(tus), document: document)
    }

    private func append(_ request: Request, _ context: ServiceContext) async throws -> Response {
        guard case .append(let piece) = try read(request) else { throw TusError.notFound }
        let id: ID<Upload> = try context.id("id", or: .upload)
        let owner = context.person.owner
        let known = try await work.run { try library.store.upload(id, of: owner) }
        if case .finished(let document) = known.end {
            var tus = TusUpload(known, offset: known.length ?? 0)
            _ = try tus.begin(piece, limits: limits, now: HTTPDate(Instant.now))
            return Response(TusAnswer.appended(tus), document: document)
        }
        var open = try await opening { try library.openUpload(id, of: owner) }
        var tus = TusUpload(open.upload, offset: open.intake.byteCount)
        do {
            let allowance = try tus.begin(piece, limits: limits, now: HTTPDate(Instant.now))
            if open.upload.length == nil, let length = tus.length {
                open.upload = try await work.run { try library.store.declareLength(length, of: id, owner: owner) }
            }
            let document = try await take(request, context, open, &tus, allowance: allowance)
            return Response(TusAnswer.appended(tus), document: document)
        } catch {
            try? await work.run { [open] in try library.close(open) }
            throw error
        }
    }

    private func terminate(_ request: Request, _ context: ServiceContext) async throws -> Response {
        _ = try read(request)
        let id: ID<Upload> = try context.id("id", or: .upload)
        let owner = context.person.owner
        let known = try await work.run { try library.store.upload(id, of: owner) }
        if case .finished = known.end { throw TusError.finished }
        try await opening { try library.endUpload(id, of: owner) }
        return Response(TusAnswer.terminated)
    }

    /// An upload that another request does not let go of is locked.
    private func opening<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await work.run(body)
        } catch DocumentError.conflict {
            throw TusError.locked
        }
    }

    /// Takes the body's bytes, and stores the document once all have arrived.
    ///
    /// - Returns: the document, where this was the last piece.
    private func take(
        _ request: Request, _ context: ServiceContext, _ open: OpenUpload, _ tus: inout TusUpload, allowance: Int64
    ) async throws -> ID<Document>? {
        let excess = tus.excess
        do {
            let count = try await request.withBody(context, bodyLimits) { body in
                var count: Int64 = 0
                while let piece = try await body.next() {
                    guard Int64(piece.readableBytes) <= allowance - count else { throw excess }
                    if open.turn.isOvertaken { throw TusError.overtaken }
                    try await work.run { try piece.withUnsafeReadableBytes { try open.intake.append($0) } }
                    count += Int64(piece.readableBytes)
                }
                return count
            }
            tus.advance(by: count)
        } catch {
            try? await work.run { try library.close(open) }
            throw error
        }
        guard tus.isFinished else {
            try await work.run { try library.close(open) }
            return nil
        }
        return try await work.run { try library.finish(open) }.id
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

extension Response {
    /// An answer of the protocol, with the document that the upload became.
    fileprivate init(_ answer: TusAnswer, document: ID<Document>? = nil) {
        var headers = HTTPFields(answer.fields)
        if let document { headers[.documentID] = document.text }
        self.init(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: answer.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }
}

extension HTTPField.Name {
    static var tusResumable: HTTPField.Name { HTTPField.Name("Tus-Resumable")! }
    static var documentID: HTTPField.Name { HTTPField.Name("Document-Id")! }
}
