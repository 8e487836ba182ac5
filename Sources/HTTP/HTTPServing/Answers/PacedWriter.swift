internal import Hummingbird
internal import NIOCore

extension Response {
    /// The answer, sent in sequence: a part is handed over when the socket has taken the parts before it.
    ///
    /// Short answers are sent unchanged.
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
/// The server's own writer waits only after it is notified that the channel is full. The event loop notifies it after
/// it has seen the bytes: while the loop is busy, a body would be read into memory as fast as its source allows.
///
/// At most `mostByteCount` bytes wait for the socket, or one part if it is longer. A source that makes the next part in
/// the meantime holds two.
private struct PacedWriter: ResponseBodyWriter {
    /// Shorter parts are sent together, so that not every event of a stream has to wait.
    static let mostByteCount = RangedFile.smallPieceByteCount

    private var parent: any ResponseBodyWriter
    private let connection: Connection
    /// The number of bytes handed over since the last wait.
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

    /// Also waits for the last part: until it has been sent, the source's share of a budget is in use.
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        if byteCount > 0 { try await connection.departure() }
        try await parent.finish(trailingHeaders)
    }
}
