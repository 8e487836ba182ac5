public import HTTPSyntax
internal import HTTPTypes
public import Hummingbird
internal import Linux
internal import NIOCore

/// One request of tus 1.0 about the uploads of one caller, from its header to its answer.
public struct ResumableExchange<Uploads: ResumableUploads>: Sendable {
    private let uploads: Uploads
    private let request: Request

    /// An exchange about these uploads.
    public init(_ uploads: Uploads, _ request: Request) {
        self.uploads = uploads
        self.request = request
    }

    /// Does what the request asks for.
    ///
    /// - Parameter id: the upload that the address names; `nil` for the address of all uploads.
    /// - Throws: `TusError`, whose answer is `TusAnswer.failed`; `ServingError`; or what `Uploads` throws.
    public func answer(id: String?, _ context: some ServingContext) async throws -> Response {
        let asked = try TusRequest(
            method: request.method.rawValue, headers: request.headers, limits: uploads.limits)
        switch (asked, id) {
        case (.options, _): return Response(TusAnswer.options(uploads.limits))
        case (.create(let creation), nil): return try await create(creation, context)
        case (.status, let id?): return try await status(id)
        case (.append(let piece), let id?): return try await append(piece, to: id, context)
        case (.terminate, let id?): return try await terminate(id)
        default: throw TusError.notFound
        }
    }

    private func create(_ creation: TusCreation, _ context: some ServingContext) async throws -> Response {
        let (uploads, limits) = (uploads, uploads.limits)
        let room = try await uploads.room(for: creation)
        let open = try await uploads.run { try uploads.begin(creation, in: room) }
        var state = uploads.state(of: open)
        let fields = try await take(into: open, room, &state, context) { state in
            try state.beginFirstPiece(of: creation, limits: limits)
        }
        let answer = TusAnswer.created(state, location: uploads.location(of: open), hasPiece: creation.hasPiece)
        return Response(answer, adding: fields)
    }

    private func status(_ id: String) async throws -> Response {
        let (uploads, now) = (uploads, Self.now)
        return try await uploads.run {
            let known = try uploads.find(id)
            let state = try uploads.state(of: known)
            try state.checkTime(now: now)
            var fields = try uploads.end(of: known)
            // The server died between the last byte and the end: the client, which has sent everything, would take it for done.
            if fields == nil, state.isFinished { fields = try Self.finish(known, id, of: uploads) }
            return Response(TusAnswer.status(state), adding: fields ?? [])
        }
    }

    /// Finishes an upload whose bytes are all there, unless the request that sent the last of them does so meanwhile.
    private static func finish(_ known: Uploads.Known, _ id: String, of uploads: Uploads) throws -> [HeaderField] {
        do {
            return try uploads.finish(try uploads.open(known, in: nil))
        } catch {
            guard let fields = try? uploads.end(of: try uploads.find(id)) else { throw error }
            return fields
        }
    }

    private func append(_ piece: TusAppend, to id: String, _ context: some ServingContext) async throws -> Response {
        let (uploads, limits, now) = (uploads, uploads.limits, Self.now)
        if let answer = try await repeated(piece, of: id) { return answer }
        let room = try await uploads.room(for: try await uploads.run { try uploads.find(id) })
        let open: Uploads.Open
        do {
            open = try await uploads.run { try uploads.open(try uploads.find(id), in: room) }
        } catch {
            // The request that sent the last bytes may have finished the upload while this one waited for it.
            if let answer = try? await repeated(piece, of: id) { return answer }
            throw error
        }
        var state = uploads.state(of: open)
        let fields = try await take(into: open, room, &state, context) { state in
            try state.begin(piece, limits: limits, now: now)
        }
        return Response(TusAnswer.appended(state), adding: fields)
    }

    /// The answer to a last piece that a client repeats since it did not see the answer; `nil` for an upload that is not finished.
    private func repeated(_ piece: TusAppend, of id: String) async throws -> Response? {
        let (uploads, limits, now) = (uploads, uploads.limits, Self.now)
        return try await uploads.run {
            let known = try uploads.find(id)
            guard let fields = try uploads.end(of: known) else { return nil }
            var state = try uploads.state(of: known)
            _ = try state.begin(piece, limits: limits, now: now)
            return Response(TusAnswer.appended(state), adding: fields)
        }
    }

    private func terminate(_ id: String) async throws -> Response {
        let uploads = uploads
        return try await uploads.run {
            let known = try uploads.find(id)
            if try uploads.end(of: known) != nil { throw TusError.finished }
            try uploads.terminate(known)
            return Response(TusAnswer.terminated)
        }
    }

    /// Takes the body's bytes, and finishes the upload once all have arrived.
    ///
    /// - Parameters:
    ///   - room: the memory for the bytes.
    ///   - admit: checks the request's header, and returns the largest number of bytes to take.
    /// - Returns: the fields of a finished upload.
    private func take(
        into open: Uploads.Open, _ room: MemoryBudget.Share?, _ state: inout TusUpload,
        _ context: some ServingContext,
        admit: (inout TusUpload) throws -> Int64
    ) async throws -> [HeaderField] {
        let uploads = uploads
        var open = open
        do {
            let isDeferred = state.length == nil
            let allowance = try admit(&state)
            if isDeferred, let length = state.length {
                open = try await uploads.run { [open] in try uploads.declare(length, of: open) }
            }
            state.advance(by: try await receive(upTo: allowance, excess: state.excess, into: open, room, context))
        } catch {
            try? await uploads.runInAnyCase { [open] in try uploads.close(open) }
            throw error
        }
        guard state.isFinished else {
            try await uploads.runInAnyCase { [open] in try uploads.close(open) }
            return []
        }
        do {
            return try await uploads.run { [open] in try uploads.finish(open) }
        } catch {
            // It may not have begun, if the right to do so has ended.
            try? await uploads.runInAnyCase { [open] in try uploads.close(open) }
            throw error
        }
    }

    private func receive(
        upTo allowance: Int64, excess: TusError, into open: Uploads.Open, _ room: MemoryBudget.Share?,
        _ context: some ServingContext
    ) async throws -> Int64 {
        let uploads = uploads
        return try await request.withBody(context, BodyLimits(byteCount: .max), room: room) { body in
            var count: Int64 = 0
            while let piece = try await body.next() {
                guard Int64(piece.readableBytes) <= allowance - count else { throw excess }
                if uploads.isOvertaken(open) { throw TusError.overtaken }
                try await uploads.run { try piece.withUnsafeReadableBytes { try uploads.append($0, to: open) } }
                count += Int64(piece.readableBytes)
            }
            return count
        }
    }

    private static var now: HTTPDate { HTTPDate(seconds: Time.wall / 1_000_000_000) }
}

extension Response {
    /// An answer of the protocol, with the fields that a face adds.
    public init(_ answer: TusAnswer, adding fields: [HeaderField] = []) {
        var headers = HTTPFields()
        for field in answer.fields + fields {
            if let name = HTTPField.Name(field.name) { headers[name] = field.value }
        }
        self.init(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: answer.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }
}
