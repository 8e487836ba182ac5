public import Hummingbird
internal import Linux

/// A fault of the way that a request takes, before anything of its content matters.
public enum ServingError: Error, Hashable, Sendable {
    /// Too much blocking work waits already, or the memory for all bodies or all answers is used up.
    case overloaded
    /// The service is about to end.
    case stopping
    /// The body is longer than its limit in bytes.
    case bodyTooLarge(limit: Int64)
    /// The body ended before its declared length, or its connection broke.
    case bodyInterrupted
    /// The body stopped, or came too slowly.
    case bodyStalled
    /// The answer would be longer than its limit in bytes.
    case answerTooLarge(limit: Int)
    /// `Content-Length` cannot be read.
    case badLength
    /// The client has gone, and its work was given up: nobody reads the answer.
    case clientLeft

    /// The error of the work that another error has ended: work is cancelled where its client has gone.
    public init?(_ error: any Error) {
        if let error = error as? ServingError {
            self = error
        } else if error is MemoryBudget.Exhausted {
            self = .overloaded
        } else if error is CancellationError {
            self = .clientLeft
        } else {
            return nil
        }
    }

    /// The status code of the answer; 499, which RFC 9110 does not have, is nginx's word for a client that has gone.
    public var statusCode: Int {
        switch self {
        case .overloaded, .stopping: 503
        case .bodyTooLarge: 413
        case .bodyInterrupted, .answerTooLarge, .badLength: 400
        case .bodyStalled: 408
        case .clientLeft: 499
        }
    }

    /// A sentence for a person.
    public var message: String {
        switch self {
        case .overloaded: "The service is busy. Please try again in a moment."
        case .stopping: "The service is restarting. Please try again in a moment."
        case .bodyTooLarge: "The request is too large."
        case .bodyInterrupted: "The upload was interrupted."
        case .bodyStalled: "The upload stalled for too long."
        case .answerTooLarge(let limit): "The response would exceed \(limit >> 20) MiB. Ask for less at a time."
        case .badLength: "The request's length cannot be read."
        case .clientLeft: "Connection lost"
        }
    }

    /// Seconds after which another try makes sense; `nil` where it makes none.
    public var retryAfter: Int? {
        switch self {
        case .overloaded: 1
        case .stopping: 5
        default: nil
        }
    }
}

/// The answer where no face of the service translates the error: its sentence as text.
extension ServingError: HTTPResponseError {
    /// The answer's status.
    public var status: HTTPResponse.Status { HTTPResponse.Status(code: statusCode) }

    /// The sentence, with `Retry-After` where it makes sense.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        var headers: HTTPFields = [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]
        if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: message + "\n")))
    }
}
