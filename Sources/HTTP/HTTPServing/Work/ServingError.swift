public import Hummingbird
internal import Linux

/// A fault in handling a request, regardless of its content.
public enum ServingError: Error, Hashable, Sendable {
    /// Too much blocking work is waiting, or the memory for all bodies or all answers is used up.
    case overloaded
    /// The service is about to end.
    case stopping
    /// The body is longer than its limit in bytes.
    case bodyTooLarge(limit: Int64)
    /// The body ended before its declared length, or its connection broke.
    case bodyInterrupted
    /// The body stopped, or arrived too slowly.
    case bodyStalled
    /// The answer would be longer than its limit in bytes.
    case answerTooLarge(limit: Int)
    /// `Content-Length` cannot be read.
    case badLength
    /// The client has left, and its work was abandoned: nobody reads the answer.
    case clientLeft

    /// The error of work that another error has ended: work is cancelled if its client has left.
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

    /// The status code of the answer; 499, which RFC 9110 does not define, is nginx's code for a client that has left.
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

    /// Seconds after which a retry makes sense; `nil` if it makes none.
    public var retryAfter: Int? {
        switch self {
        case .overloaded: 1
        case .stopping: 5
        default: nil
        }
    }
}

/// The answer if no face of the service translates the error: its sentence as text.
extension ServingError: HTTPResponseError {
    /// The answer's status.
    public var status: HTTPResponse.Status { HTTPResponse.Status(code: statusCode) }

    /// The sentence, with `Retry-After` if a retry makes sense.
    public func response(from request: Request, context: some RequestContext) throws -> Response {
        var headers: HTTPFields = [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]
        if let retryAfter { headers[.retryAfter] = "\(retryAfter)" }
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: message + "\n")))
    }
}
