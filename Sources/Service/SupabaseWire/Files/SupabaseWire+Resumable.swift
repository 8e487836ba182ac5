internal import Access
internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import NIOCore
internal import Objects

/// Resumable uploads by tus 1.0: `upload/resumable`, and with an upload token `upload/resumable/sign`.
extension SupabaseWire {
    var resumableRoutes: [WireRoute] {
        resumableRoutes(at: "/storage/v1/upload/resumable/sign", for: .token)
            + resumableRoutes(at: "/storage/v1/upload/resumable", for: .key)
    }

    private func resumableRoutes(at place: String, for audience: Audience) -> [WireRoute] {
        let tus: WireRoute.Handler = { request, caller in
            try await resumable(request, audience == .key ? desk(caller) : nil)
        }
        let options: WireRoute.Handler = { _, _ in Response(TusAnswer.options(limits)) }
        return [
            WireRoute("OPTIONS", place, .anyone, options), WireRoute("OPTIONS", "\(place)/{id}", .anyone, options),
            WireRoute("POST", place, audience, tus), WireRoute("HEAD", "\(place)/{id}", audience, tus),
            WireRoute("PATCH", "\(place)/{id}", audience, tus), WireRoute("DELETE", "\(place)/{id}", audience, tus),
        ]
    }

    /// - Parameter desk: the caller's; `nil` where a token names the person.
    private func resumable(_ request: WireRequest, _ desk: FileDesk?) async throws -> Response {
        // A bad login is told as JSON, all else in the protocol's own way.
        do {
            return try await resumable(request, request.path.dropFirst(desk == nil ? 3 : 2), desk)
        } catch let error as TusError {
            return Response(TusAnswer.failed(error))
        } catch let error as FileError {
            return Self.plain(error)
        } catch let error as ServingError {
            return Self.plain(FileError(error))
        }
    }

    private var limits: TusLimits {
        TusLimits(
            byteCount: library.options.maxUploadByteCount,
            lifetime: DocumentLibrary.uploadLifetime.components.seconds)
    }

    private func resumable(
        _ request: WireRequest, _ rest: ArraySlice<String>, _ desk: FileDesk?
    ) async throws -> Response {
        guard let tus = try TusRequest(method: request.method, headers: request, limits: limits) else {
            throw TusError.notFound
        }
        if case .create(let creation) = tus, rest.isEmpty { return try await create(creation, request, desk) }
        guard rest.count == 1, let id = rest.first else { throw TusError.notFound }
        let isUpsert = request.single("x-upsert")?.lowercased() == "true"
        let owner = try desk ?? signed(request, path: nil).desk
        let file: ResumableFile
        do {
            file = try await work.run { try ResumableFile(id, isUpsert: isUpsert, desk: owner) }
        } catch is FileError {
            throw TusError.notFound
        }
        if desk == nil { _ = try signed(request, path: file.path) }
        switch tus {
        case .append(let piece): return try await append(piece, to: file, request)
        default:
            return request.method == "DELETE" ? try await terminate(file) : try await status(file)
        }
    }

    /// The desk of the person who has signed an upload token.
    private func signed(
        _ request: WireRequest, path: ObjectPath?
    ) throws(FileError) -> (desk: FileDesk, isUpsert: Bool) {
        let token = request.single("x-signature") ?? ""
        let claims: JSON
        do throws(WireToken.Fault) { claims = try keys.claims(of: token) } catch {
            throw .invalidToken("invalid signature")
        }
        guard claims["use"]?.string == "upload", let owner = claims["owner"]?.string.flatMap({ ID<Person>($0) }),
            path.map({ claims["url"]?.string == "\(FileAddresses.bucket)/\($0.text)" }) != false
        else { throw .otherPath }
        return (desk(Caller(owner: owner)), claims["upsert"]?.bool == true)
    }

    private func create(_ creation: TusCreation, _ request: WireRequest, _ desk: FileDesk?) async throws -> Response {
        try Self.check(bucket: creation.metadata["bucketName"] ?? "")
        let key = try BucketPath.parse([creation.metadata["objectName"] ?? ""])
        var isUpsert = request.single("x-upsert")?.lowercased() == "true"
        let owner: FileDesk
        if let desk {
            owner = desk
        } else {
            let token = try signed(request, path: key)
            owner = token.desk
            isUpsert = token.isUpsert
        }
        let (isReplacing, at) = (isUpsert, owner)
        let notes = try FileNotes(
            seconds: creation.metadata["cacheControl"], metadata: creation.metadata["metadata"])
        let (file, incoming) = try await work.run {
            try ResumableFile.begin(key, isUpsert: isReplacing, length: creation.length, notes: notes, desk: at)
        }
        var tus = TusUpload(
            length: creation.length, offset: 0,
            expires: HTTPDate(seconds: file.upload.expires.microseconds / 1_000_000),
            metadata: creation.metadata)
        let allowance = try tus.beginFirstPiece(of: creation, limits: limits)
        try await take(request, file, incoming, library.uploads.take(file.fileID), &tus, allowance: allowance)
        let place = desk == nil ? "upload/resumable/sign" : "upload/resumable"
        let location = "\(request.origin)/storage/v1/\(place)/\(file.upload.id)"
        return Response(TusAnswer.created(tus, location: location, hasPiece: creation.hasPiece))
    }

    private func status(_ file: ResumableFile) async throws -> Response {
        let tus = TusUpload(file.upload, offset: try await work.run { try file.byteCount() })
        try tus.checkTime(now: Self.now)
        return Response(TusAnswer.status(tus))
    }

    private func append(_ piece: TusAppend, to file: ResumableFile, _ request: WireRequest) async throws -> Response {
        if file.isFinished {
            var tus = TusUpload(file.upload, offset: file.upload.length ?? 0)
            _ = try tus.begin(piece, limits: limits, now: Self.now)
            return Response(TusAnswer.appended(tus))
        }
        let turn = library.uploads.take(file.fileID)
        guard let incoming = try await work.run({ try file.open(turn) }) else {
            library.uploads.leave(turn)
            throw TusError.locked
        }
        var tus = TusUpload(file.upload, offset: incoming.byteCount)
        do {
            let allowance = try tus.begin(piece, limits: limits, now: Self.now)
            if file.upload.length == nil, let length = tus.length {
                let library = library
                _ = try await work.run {
                    try library.store.declareLength(length, of: file.upload.id, owner: file.owner)
                }
            }
            try await take(request, file, incoming, turn, &tus, allowance: allowance)
        } catch {
            library.uploads.leave(turn)
            throw error
        }
        return Response(TusAnswer.appended(tus))
    }

    private func terminate(_ file: ResumableFile) async throws -> Response {
        if file.isFinished { throw TusError.finished }
        let turn = library.uploads.take(file.fileID)
        defer { library.uploads.leave(turn) }
        let isEnded = try await work.run {
            guard let incoming = try file.open(turn) else { return false }
            try file.terminate(incoming)
            return true
        }
        guard isEnded else { throw TusError.locked }
        return Response(TusAnswer.terminated)
    }

    /// Takes the body's bytes, and stores the file once all have arrived.
    private func take(
        _ request: WireRequest, _ file: ResumableFile, _ incoming: any IncomingObject, _ turn: UploadTurn,
        _ tus: inout TusUpload, allowance: Int64
    ) async throws {
        defer { library.uploads.leave(turn) }
        let excess = tus.excess
        do {
            let count = try await request.withBody(upTo: .max) { body in
                var count: Int64 = 0
                while let piece = try await body.next() {
                    guard Int64(piece.readableBytes) <= allowance - count else { throw excess }
                    if turn.isOvertaken { throw TusError.overtaken }
                    try await add(Array(piece.readableBytesView), to: incoming)
                    count += Int64(piece.readableBytes)
                }
                return count
            }
            tus.advance(by: count)
        } catch {
            try? await work.run { try incoming.sync() }
            throw error
        }
        let isFinished = tus.isFinished
        try await work.run {
            if isFinished {
                try file.finish(incoming)
            } else {
                try FileDesk.converting { () throws(ObjectError) in try incoming.sync() }
            }
        }
    }

    private static var now: HTTPDate { HTTPDate(seconds: WireKeys.now) }

    /// Faults of files have their own status here, and a text.
    private static func plain(_ error: FileError) -> Response {
        var headers: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
        headers[HTTPField.Name("Tus-Resumable")!] = TusAnswer.version
        return Response(
            status: .init(code: error.ownStatus), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: error.message)))
    }
}

extension TusUpload {
    /// An upload as the store has it.
    fileprivate init(_ upload: Upload, offset: Int64) {
        self.init(
            length: upload.length, offset: offset, expires: HTTPDate(seconds: upload.expires.microseconds / 1_000_000),
            metadata: TusMetadata())
    }
}

extension Response {
    /// An answer of the protocol.
    fileprivate init(_ answer: TusAnswer) {
        var headers = HTTPFields()
        for field in answer.fields {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        self.init(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: answer.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }
}
