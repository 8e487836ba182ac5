public import HTTPTypes
public import Hummingbird
public import NIOCore

/// A whole answer in memory.
public struct ReadyAnswer: Sendable {
    /// Status and fields, with the body's length.
    public var head: HTTPResponse
    /// The body; for `HEAD` it is not sent.
    public let body: ByteBuffer
    /// The pattern of the path, for the metrics.
    public let route: String

    /// An answer with a body, whose length is stated.
    public init(status: HTTPResponse.Status, headers: HTTPFields, body: ByteBuffer, route: String) {
        head = HTTPResponse(status: status, headerFields: headers)
        head.headerFields[.contentLength] = "\(body.readableBytes)"
        self.body = body
        self.route = route
    }

    /// The answer as a route gives it.
    public var response: Response {
        Response(status: head.status, headers: head.headerFields, body: ResponseBody(byteBuffer: body))
    }
}

/// Finds the answers that need no work.
///
/// They are sent on the connection's event loop, before any middleware or route sees the request: what these would check, the
/// conforming type checks. Each answer must be the one that the route gives.
public protocol ReadyAnswering: Sendable {
    /// The answer to a request without a body; `nil` where its route must find it.
    ///
    /// Called on an event loop: it must neither block nor take long.
    /// - Parameter port: the port that the client has reached.
    func readyAnswer(to request: HTTPRequest, port: Int) -> ReadyAnswer?
}
