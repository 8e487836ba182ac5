internal import HTTPTypes
public import Hummingbird
internal import Linux
internal import NIOCore

/// Throws when the caller of a request has lost the right to it: the session, or whatever gave the right, has ended.
///
/// It runs after the last byte of a body, before the body has any effect, and periodically during a long answer.
public typealias Reauthorization = @Sendable () async throws -> Void

extension Response {
    /// The answer, which is cut short when its reader loses the right to it.
    ///
    /// Short answers are sent unchanged.
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

/// Passes a body on until a check throws.
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
