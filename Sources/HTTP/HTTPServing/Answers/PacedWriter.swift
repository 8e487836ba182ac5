internal import Hummingbird
internal import NIOCore

extension Response {
    /// The answer, whose parts leave one after the other: a part is handed over once the socket has taken the former ones.
    ///
    /// Short answers leave as they are.
    func paced(on connection: Connection?) -> Response {
        guard let connection, body.contentLength.map({ $0 > PacedWriter.mostByteCount }) ?? true else { return self }
        var response = self
        response.body = ResponseBody(contentLength: body.contentLength) { [body] writer in
            try await body.write(PacedWriter(parent: writer, connection: connection))
        }
        return response
    }
}

/// Passes a body on no faster than the socket takes it.
///
/// The server's own writer waits only once it has been told that the channel is full. The event loop tells it after it has seen the
/// bytes: while the loop is busy, a body would be read into memory as fast as its source allows.
///
/// At most `mostByteCount` wait for the socket, or one part if that is longer. A source that makes the next part meanwhile holds two.
private struct PacedWriter: ResponseBodyWriter {
    /// Parts that are shorter leave together: each event of a stream need not wait.
    static let mostByteCount = RangedFile.smallPieceByteCount

    private var parent: any ResponseBodyWriter
    private let connection: Connection
    /// The bytes that were handed over since the last wait.
    private var byteCount = 0

    init(parent: any ResponseBodyWriter, connection: Connection) {
        (self.parent, self.connection) = (parent, connection)
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        if byteCount > 0, byteCount + buffer.readableBytes > Self.mostByteCount {
            try await connection.departure()
            byteCount = 0
        }
        byteCount += buffer.readableBytes
        try await parent.write(buffer)
    }

    /// Waits for the last part too: until then, the source's share of a budget is in use.
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        if byteCount > 0 { try await connection.departure() }
        try await parent.finish(trailingHeaders)
    }
}
