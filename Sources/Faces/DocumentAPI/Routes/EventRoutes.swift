internal import Documents
internal import HTTPServing
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import People

/// What happens to a person's documents, as server-sent events.
extension DocumentAPI {
    var eventRoutes: [Route] {
        [
            Route("GET", "/api/events") { request, context in
                let turn = try streams?.begin(of: context.caller, from: context.passage.network)
                let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap { Int64($0) }
                let owner = context.person.owner
                let follower = try await work.run { try library.events.follow(owner, after: last) }
                let (credentials, authenticator) = (context.credentials(of: request), authenticator)
                return EventAnswer(context, retryTime: .seconds(1)).response { writer in
                    defer { turn?.end() }
                    try await Self.write(follower, to: &writer) {
                        (try? await authenticator.actingCaller(with: credentials))?.owner == owner
                    }
                }
            }
        ]
    }

    /// - Parameter isWelcome: whether the person is still signed in; checked before each write.
    private static func write(
        _ follower: EventFollower, to writer: inout EventWriter, while isWelcome: () async -> Bool
    ) async throws {
        while let events = await follower.next(within: .seconds(15)), await isWelcome() {
            if events.isEmpty {
                try await writer.writeComment()
            } else {
                try await writer.write(events.map(\.lines).joined())
            }
        }
    }
}

extension ClientEvent {
    /// The lines in the stream. Progress has no number: it is not repeated for a client that reconnects.
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
