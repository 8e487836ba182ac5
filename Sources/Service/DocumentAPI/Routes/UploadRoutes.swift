internal import Access
internal import Documents
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
            Route("POST", "/api/documents") { request, context in
                try await receive(request, context, predecessor: nil)
            },
            Route("POST", "/api/documents/{id}/versions") { request, context in
                try await receive(request, context, predecessor: try await document(context))
            },
        ]
    }

    private func receive(
        _ request: Request, _ context: ServiceContext, predecessor: Document?
    ) async throws -> Response {
        let caller = context.person
        let form = UploadForm(try await work.run { try library.receive() })
        do {
            if let length = request.headers[.contentLength].flatMap(Int64.init) {
                // A form is longer than its file.
                try form.intake.expect(max(0, length - Self.formOverhead))
            }
            let type = request.headers[.contentType].flatMap { ContentType($0) }
            if type?.essence == "multipart/form-data" {
                try await readForm(request, type, into: form)
            } else {
                try await readFile(request, into: form)
            }
            let document = try await work.run {
                try form.finish(owner: caller.owner, uploader: caller.actor, predecessor: predecessor)
            }
            var response = Response.data(document.json, status: .created)
            response.headers[.location] = "/api/documents/\(document.id)"
            return response
        } catch {
            try? await work.run { form.intake.discard() }
            var response = ErrorAnswer(error, context).response
            Self.endConnection(of: &response, context)
            return response
        }
    }

    private func readForm(_ request: Request, _ type: ContentType?, into form: UploadForm) async throws {
        var parser = try MultipartParser(type)
        for try await buffer in request.body {
            parser.feed(Array(buffer.readableBytesView)[...])
            try await take(&parser, into: form)
        }
        parser.finish()
        try await take(&parser, into: form)
    }

    private func take(_ parser: inout MultipartParser, into form: UploadForm) async throws {
        var events: [MultipartParser.Event] = []
        while let event = try parser.next() { events.append(event) }
        if events.isEmpty { return }
        let taken = events
        try await work.run { for event in taken { try form.take(event) } }
    }

    private func readFile(_ request: Request, into form: UploadForm) async throws {
        let items = try request.queryItems()
        try await work.run { try form.take(items) }
        for try await buffer in request.body {
            try await work.run { try buffer.withUnsafeReadableBytes { try form.intake.append($0) } }
        }
    }

    /// The rest of a refused upload is not worth its way: the connection ends soon after the answer.
    static func endConnection(of response: inout Response, _ context: ServiceContext) {
        response.headers[.connection] = "close"
        let channel = context.channel
        channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    }

    private static var formOverhead: Int64 { 64 << 10 }
}
