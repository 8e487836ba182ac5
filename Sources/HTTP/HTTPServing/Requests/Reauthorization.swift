internal import HTTPTypes
public import Hummingbird
internal import Linux
internal import NIOCore

/// Throws once the caller of a request has lost the right to it: the session has ended, or what gave the right.
///
/// It runs after the last byte of a body, before anything comes of the body, and from time to time while an answer goes on.
public typealias Reauthorization = @Sendable () async throws -> Void

extension Response {
    /// The answer, which ends without its rest once its reader has lost the right to it.
    ///
    /// Short answers leave as they are.
    /// - Parameter check: `nil` for an answer that needs no right.
    public func reauthorized(every interval: Duration = .seconds(10), by check: Reauthorization?) -> Response {
        guard let check, body.contentLength.map({ $0 > RangedFile.pieceByteCount }) ?? true else { return self }
        var response = self
        response.body = ResponseBody(contentLength: body.contentLength) { [body] writer in
            try await body.write(ReauthorizingWriter(parent: writer, check: check, interval: interval))
        }
        return response
    }
}

/// Passes a body on as long as a check does not throw.
private struct ReauthorizingWriter: ResponseBodyWriter {
    private var parent: any ResponseBodyWriter
    private let check: Reauthorization
    private let interval: Duration
    private var checked = Time.monotonic

    init(parent: any ResponseBodyWriter, check: @escaping Reauthorization, interval: Duration) {
        (self.parent, self.check, self.interval) = (parent, check, interval)
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        let now = Time.monotonic
        if now - checked >= interval {
            try await check()
            checked = now
        }
        try await parent.write(buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await parent.finish(trailingHeaders) }
}
