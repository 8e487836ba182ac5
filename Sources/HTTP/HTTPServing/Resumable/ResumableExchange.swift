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
        let known = uploads.known(open)
        var state = uploads.state(of: open)
        do {
            let fields = try await take(into: open, room, &state, context) { state in
                try state.beginFirstPiece(of: creation, limits: limits)
            }
            let answer = TusAnswer.created(state, location: uploads.location(of: known), hasPiece: creation.hasPiece)
            return Response(answer, adding: fields)
        } catch {
            // The client never learns its address, so nobody can resume it.
            try? await uploads.runInAnyCase { try uploads.terminate(known) }
            throw error
        }
    }

    private func status(_ id: String) async throws -> Response {
        let (uploads, now) = (uploads, Self.now)
        let state = try await uploads.run {
            let state = try uploads.state(of: try uploads.find(id))
            try state.checkTime(now: now)
            return state
        }
        // The client, which has sent everything, would take it for complete.
        return Response(TusAnswer.status(state), adding: state.isFinished ? try await finish(id) : [])
    }

    private func append(_ piece: TusAppend, to id: String, _ context: some ServingContext) async throws -> Response {
        let (uploads, limits, now) = (uploads, uploads.limits, Self.now)
        let known = try await uploads.run { try uploads.find(id) }
        guard uploads.isReceiving(known) else { return try await repeated(piece, of: id) }
        let room = try await uploads.room(for: known)
        let turn = try await waiting { () -> Turn? in
            let known = try uploads.find(id)
            guard uploads.isReceiving(known) else { return .isOver }
            return try uploads.open(known, in: room).map(Turn.open)
        }
        guard case .open(let open) = turn else { return try await repeated(piece, of: id) }
        var state = uploads.state(of: open)
        do {
            let fields = try await take(into: open, room, &state, context) { state in
                try state.begin(piece, limits: limits, now: now)
            }
            return Response(TusAnswer.appended(state), adding: fields)
        } catch TusError.overtaken {
            // The newer request may bring the same bytes: then this request gets the same answer.
            let isOver = try? await waiting { uploads.isReceiving(try uploads.find(id)) ? nil : true }
            guard isOver == true else { throw TusError.overtaken }
            return try await repeated(piece, of: id)
        }
    }

    private enum Turn: Sendable {
        case open(Uploads.Open)
        /// All bytes have arrived.
        case isOver
    }

    /// The answer to a last piece that a client sends again because it did not see the first answer.
    private func repeated(_ piece: TusAppend, of id: String) async throws -> Response {
        let uploads = uploads
        let state = try await uploads.run {
            let state = try uploads.state(of: try uploads.find(id))
            try state.beginAgain(piece)
            return state
        }
        return Response(TusAnswer.appended(state), adding: try await finish(id))
    }

    /// Finishes an upload whose bytes have all arrived, or waits for the request that does.
    private func finish(_ id: String) async throws -> [HeaderField] {
        let uploads = uploads
        return try await waiting { try uploads.complete(try uploads.find(id)) }
    }

    /// Tries something until it succeeds. Waiting holds no thread.
    ///
    /// - Throws: `TusError.locked` if it does not succeed in time.
    private func waiting<Value: Sendable>(
        _ attempt: @escaping @Sendable () throws -> Value?
    ) async throws -> Value {
        // A client that has lost its connection reconnects before the server knows about the loss.
        let deadline = Time.monotonic + .seconds(5)
        var pause = Duration.milliseconds(20)
        while true {
            if let value = try await uploads.run(attempt) { return value }
            guard Time.monotonic < deadline else { throw TusError.locked }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(200))
        }
    }

    private func terminate(_ id: String) async throws -> Response {
        let uploads = uploads
        return try await uploads.run {
            try uploads.terminate(try uploads.find(id))
            return Response(TusAnswer.terminated)
        }
    }

    /// Takes the body's bytes, and finishes the upload when all have arrived.
    ///
    /// - Parameters:
    ///   - room: the memory for the bytes.
    ///   - admit: checks the request's header, and returns the maximum number of bytes to take.
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
            // `finish` may not have begun, if the right to it was revoked.
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
