internal import HTTPTypes
public import Hummingbird
internal import NIOCore

/// An answer of server-sent events (HTML, "Server-sent events"). It ends when its client leaves, if not earlier.
public struct EventAnswer: Sendable {
    private let connection: Connection?
    private let retryTime: Duration

    /// - Parameter retryTime: the time after which a client reconnects when its stream has ended.
    public init(_ context: some ServingContext, retryTime: Duration) {
        connection = context.passage.connection
        self.retryTime = retryTime
    }

    /// The answer. The operation writes its events; its task is cancelled when the client leaves.
    public func response(
        _ write: @escaping @Sendable (inout EventWriter) async throws -> Void
    ) -> Response {
        let (connection, retry) = (connection, Int64(retryTime / .milliseconds(1)))
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store",
                // nginx would buffer the events.
                HTTPField.Name("X-Accel-Buffering")!: "no",
            ],
            body: ResponseBody { writer in
                var events = EventWriter(writer)
                try await events.write("retry: \(retry)\n\n")
                try await connection.cancellingAtDeparture { try await write(&events) }
                try await events.finish()
            })
    }
}

/// Writes the events of one stream.
public struct EventWriter {
    private var writer: any ResponseBodyWriter

    fileprivate init(_ writer: any ResponseBodyWriter) { self.writer = writer }

    /// Writes lines in the stream's format, including the empty line that ends an event.
    public mutating func write(_ lines: String) async throws { try await writer.write(ByteBuffer(string: lines)) }

    /// Writes a comment, because proxies and browsers close idle streams.
    public mutating func writeComment() async throws { try await write(": still here\n\n") }

    fileprivate mutating func finish() async throws { try await writer.finish(nil) }
}
