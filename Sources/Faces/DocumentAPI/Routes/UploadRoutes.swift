internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Linux
internal import Media
internal import NIOCore
internal import Objects
internal import People

/// Uploads of files: as a form, or as a raw body whose query describes it.
extension DocumentAPI {
    var uploadRoutes: [Route] {
        [
            Route("POST", "/api/documents", takesFile: true) { request, context in
                try await receive(request, context, predecessor: nil)
            },
            Route("POST", "/api/documents/{id}/versions", takesFile: true) { request, context in
                try await receive(request, context, predecessor: try await document(context))
            },
        ]
    }

    private func receive(
        _ request: Request, _ context: ServiceContext, predecessor: Document?
    ) async throws -> Response {
        let caller = context.person
        let type = request.headers[.contentType].flatMap { ContentType($0) }
        let isForm = type?.essence == "multipart/form-data"
        let least = try declaredFileLength(of: request)
        let declared = try request.declaredByteCount()
        let length = isForm ? least : declared ?? 0
        let room = try await library.objects.room(for: declared)
        let form = try await files.run {
            try UploadForm(
                try library.receive(for: caller.owner, announcing: length, in: room), predecessor: predecessor)
        }
        do {
            if isForm {
                try await readForm(request, context, room, into: form)
            } else {
                try await readFile(request, context, room, into: form)
            }
            // Sending may have taken long: the transaction that stores the document checks the right.
            let (document, answer) = try await files.run {
                let document = try form.finish(by: caller.actor)
                return (document.id, try JSONText.answer(document))
            }
            var response = Response.data(answer, status: .created)
            response.headers[.location] = "/api/documents/\(document)"
            return response
        } catch {
            try? await files.run { form.intake.discard() }
            throw error
        }
    }

    private func readForm(
        _ request: Request, _ context: ServiceContext, _ room: MemoryBudget.Share?, into form: UploadForm
    ) async throws {
        try await request.withBody(context, bodyLimits, room: room) { body in
            var reader = try FormReader(request)
            while let event = try await reader.next(from: &body) {
                try await files.run { try form.take(event) }
            }
        }
    }

    private func readFile(
        _ request: Request, _ context: ServiceContext, _ room: MemoryBudget.Share?, into form: UploadForm
    ) async throws {
        let items = try request.queryItems()
        try await files.run { try form.take(items) }
        try await request.withBody(context, bodyLimits, room: room) { body in
            while let piece = try await body.next() {
                try await files.run { try piece.withUnsafeReadableBytes { try form.intake.append($0) } }
            }
        }
    }

    private var bodyLimits: BodyLimits { bodyLimits(atMost: library.options.maxUploadByteCount) }

    /// The limits of a body with a file that has its own limit.
    func bodyLimits(atMost limit: Int64) -> BodyLimits { BodyLimits(byteCount: limit + Self.formOverhead) }

    private func declaredFileLength(of request: Request) throws -> Int64 {
        try declaredFileLength(of: request, atMost: library.options.maxUploadByteCount)
    }

    /// The minimum number of file bytes that a request announces; 0 if it does not say.
    ///
    /// - Throws: `tooLarge`, before anything is read.
    func declaredFileLength(of request: Request, atMost limit: Int64) throws -> Int64 {
        // A form is longer than its file.
        let length = max((try request.declaredByteCount() ?? 0) - Self.formOverhead, 0)
        guard length <= limit else { throw DocumentError.tooLarge(limit: limit) }
        return length
    }

    private static var formOverhead: Int64 { 256 << 10 }
}
