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
                return Response(
                    status: .ok,
                    headers: [
                        .contentType: "text/event-stream", .cacheControl: "no-store",
                        // nginx would hold the events back.
                        HTTPField.Name("X-Accel-Buffering")!: "no",
                    ], body: Self.body(events))
            }
        ]
    }

    private static func body(_ events: AsyncStream<DocumentEvent>) -> ResponseBody {
        ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
            for await lines in Self.lines(events) { try await writer.write(ByteBuffer(string: lines)) }
            try await writer.finish(nil)
        }
    }

    /// The events as text, and a comment in silence: proxies and browsers give up streams that say nothing.
    private static func lines(_ events: AsyncStream<DocumentEvent>) -> AsyncStream<String> {
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

extension DocumentEvent {
    /// The event's lines in the stream.
    fileprivate var lines: String {
        let json = JSON.object([
            "document_id": .string(document.text), "line_id": .string(line.text), "at": .string(moment.description),
        ])
        return "id: \(number)\nevent: \(kind.rawValue)\ndata: \(json.text)\n\n"
    }
}
