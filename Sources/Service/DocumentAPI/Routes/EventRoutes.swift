internal import Access
internal import Documents
internal import HTTPServing
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import NIOCore

/// What happens to a person's documents, as server-sent events (HTML, "Server-sent events").
extension DocumentAPI {
    var eventRoutes: [Route] {
        [
            Route("GET", "/api/events") { request, context in
                let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap { Int64($0) }
                let owner = context.person.owner
                let events = try await work.run { try library.events.follow(owner, after: last) }
                let (credentials, identifying) = (context.credentials(of: request), identifying)
                return Response(
                    status: .ok,
                    headers: [
                        .contentType: "text/event-stream", .cacheControl: "no-store",
                        // nginx would hold the events back.
                        HTTPField.Name("X-Accel-Buffering")!: "no",
                    ],
                    body: Self.body(events) { (try? await identifying.actingCaller(with: credentials))?.owner == owner }
                )
            }
        ]
    }

    /// - Parameter isWelcome: whether the person is still signed in; asked before each event, and every 15 seconds.
    private static func body(
        _ events: AsyncStream<Telling>, while isWelcome: @escaping @Sendable () async -> Bool
    ) -> ResponseBody {
        ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
            for await lines in Self.lines(events) {
                guard await isWelcome() else { break }
                try await writer.write(ByteBuffer(string: lines))
            }
            try await writer.finish(nil)
        }
    }

    /// The events as text, and a comment in silence: proxies and browsers give up streams that say nothing.
    private static func lines(_ events: AsyncStream<Telling>) -> AsyncStream<String> {
        AsyncStream { continuation in
            let beat = Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(15))
                    continuation.yield(": still here\n\n")
                }
            }
            let reading = Task {
                for await event in events { continuation.yield(event.lines) }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                beat.cancel()
                reading.cancel()
            }
        }
    }
}

extension Telling {
    /// The lines in the stream. Progress has no number: a client that was away is not told of it again.
    fileprivate var lines: String {
        switch self {
        case .event(let event):
            let json = JSON.object([
                "document_id": .string(event.document.text), "line_id": .string(event.line.text),
                "at": .string(event.moment.description),
            ])
            return "id: \(event.number)\nevent: \(event.kind.rawValue)\ndata: \(json.text)\n\n"
        case .progress(let progress):
            let json = JSON.object([
                "upload_id": .string(progress.upload.text), "file_name": .string(progress.fileName),
                "offset": .integer(progress.byteCount), "length": progress.length.map(JSON.integer) ?? .null,
            ])
            return "event: upload.progress\ndata: \(json.text)\n\n"
        }
    }
}
