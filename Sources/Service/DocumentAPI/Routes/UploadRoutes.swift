internal import Access
internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import NIOCore

/// Files on their way in: as a form, or as a raw body whose query describes it.
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
        let length = try declaredFileLength(of: request)
        let form = try await work.run {
            try library.requireRoom(for: length, of: caller.owner)
            return try UploadForm(try library.receive(for: caller.owner), predecessor: predecessor)
        }
        do {
            let type = request.headers[.contentType].flatMap { ContentType($0) }
            if type?.essence == "multipart/form-data" {
                try await readForm(request, context, into: form)
            } else {
                try await readFile(request, context, into: form)
            }
            // Sending may have taken long.
            try await identifying.requireRight(of: caller, toChange: true)
            let document = try await work.run {
                try form.finish(owner: caller.owner, uploader: caller.actor)
            }
            var response = Response.data(document, status: .created)
            response.headers[.location] = "/api/documents/\(document.id)"
            return response
        } catch {
            try? await work.run { form.intake.discard() }
            throw error
        }
    }

    private func readForm(_ request: Request, _ context: ServiceContext, into form: UploadForm) async throws {
        try await request.withBody(context, bodyLimits) { body in
            var reader = try FormReader(request)
            while let event = try await reader.next(from: &body) {
                try await work.run { try form.take(event) }
            }
        }
    }

    private func readFile(_ request: Request, _ context: ServiceContext, into form: UploadForm) async throws {
        let items = try request.queryItems()
        try await work.run { try form.take(items) }
        try await request.withBody(context, bodyLimits) { body in
            while let piece = try await body.next() {
                try await work.run { try piece.withUnsafeReadableBytes { try form.intake.append($0) } }
            }
        }
    }

    /// The bounds of a body with a file: the file's own limit is the library's.
    var bodyLimits: BodyLimits { BodyLimits(byteCount: library.options.maxUploadByteCount + Self.formOverhead) }

    /// How many bytes of file a request announces at least; 0 where it does not say.
    ///
    /// - Throws: `tooLarge`, before anything is read.
    func declaredFileLength(of request: Request) throws -> Int64 {
        // A form is longer than its file.
        let length = max((try request.declaredByteCount() ?? 0) - Self.formOverhead, 0)
        guard length <= library.options.maxUploadByteCount else {
            throw DocumentError.tooLarge(limit: library.options.maxUploadByteCount)
        }
        return length
    }

    private static var formOverhead: Int64 { 256 << 10 }
}
