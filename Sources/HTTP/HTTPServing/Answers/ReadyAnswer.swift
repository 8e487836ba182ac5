public import HTTPTypes
public import Hummingbird
public import NIOCore

/// A complete answer in memory.
public struct ReadyAnswer: Sendable {
    /// Status and fields, with the body's length.
    public var head: HTTPResponse
    /// The body's pieces in order; not sent for `HEAD`.
    public let pieces: [ByteBuffer]
    /// Holds the pieces' share of the memory of all answers for as long as this value exists.
    private let held: AnswerBody?
    /// The path's pattern, for the metrics.
    public let route: String

    /// An answer with a body and a stated length.
    public init(status: HTTPResponse.Status, headers: HTTPFields, body: ByteBuffer, route: String) {
        self.init(status: status, headers: headers, [body], byteCount: body.readableBytes, held: nil, route: route)
    }

    /// An answer with a body that was written for it.
    package init(status: HTTPResponse.Status, headers: HTTPFields, body: AnswerBody, route: String) {
        self.init(
            status: status, headers: headers, body.pieces, byteCount: body.byteCount, held: body, route: route)
    }

    private init(
        status: HTTPResponse.Status, headers: HTTPFields, _ pieces: [ByteBuffer], byteCount: Int, held: AnswerBody?,
        route: String
    ) {
        head = HTTPResponse(status: status, headerFields: headers)
        head.headerFields[.contentLength] = "\(byteCount)"
        self.pieces = pieces
        self.held = held
        self.route = route
    }

    /// The answer in the form that a route returns.
    public var response: Response {
        if let held { return Response(held, status: head.status, headers: head.headerFields) }
        return Response(status: head.status, headers: head.headerFields, body: ResponseBody(byteBuffer: pieces[0]))
    }
}

extension ReadyAnswer {
    /// How an answer is produced without the router.
    public enum Way: Sendable {
        /// It is available.
        case known(ReadyAnswer)
        /// The work finds it on a thread that may block. If it finds `nil`, the request's route answers. The work takes
        /// the turn of `party` (`WorkScope`).
        case found(party: String?, by: @Sendable () -> ReadyAnswer?)
    }
}

/// Finds answers without the router.
///
/// They are sent on the connection's event loop, before any middleware or route sees the request. The conforming type
/// must perform the checks of both. Each answer must be the one that the route gives.
public protocol ReadyAnswering: Sendable {
    /// The answer to a request without a body, or the work that finds it; `nil` if the route must answer.
    ///
    /// Called on an event loop: it must neither block nor take long.
    /// - Parameter port: the port that the client connected to.
    func readyAnswer(to request: HTTPRequest, port: Int) -> ReadyAnswer.Way?
}
