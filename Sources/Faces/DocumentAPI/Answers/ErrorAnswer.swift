internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MatchStore
internal import Media
internal import NIOCore
internal import People
internal import SignIn

/// An error as the client gets it: `{"success": false, "code", "message"}`, with `field` if one field is at fault.
struct ErrorAnswer {
    private let status: HTTPResponse.Status
    private let code: String
    private let message: String
    private let field: String?
    private let retryAfter: Int?

    /// The answer to a request whose handler has thrown. Errors that are only the service's fault are logged.
    init(_ error: any Error, _ context: ServiceContext) {
        switch ServingError(error) ?? error {
        case let error as DocumentError: self.init(error)
        case is UnsupportedBody:
            self.init(.unsupportedMediaType, "media_type", "Send JSON, with Content-Type: application/json.")
        case let error as AccessError: self.init(error)
        case let error as AccountError: self.init(error)
        case let error as InsecureAddress: self.init(.forbidden, "forbidden", error.message)
        case let error as NoAccounts: self.init(.notFound, "not_found", error.message)
        case let error as ViewOnly: self.init(.forbidden, "view_only", error.message)
        case let error as NoGuardian: self.init(.notFound, "not_found", error.message)
        case let error as SignInFault: self.init(error)
        case let error as NoIdentity: self.init(.notFound, "not_found", error.message)
        case let error as NoSession: self.init(.notFound, "not_found", error.message)
        case SearchError.notFound:
            self.init(.notFound, "not_found", "This search has expired, was deleted, or never existed.")
        case SearchError.notAllowed: self.init(DocumentError.notAllowed)
        case SearchError.noProfile:
            self.init(
                .conflict, "conflict", "The profile cannot be corrected yet: the résumé is still being read.")
        case PostingError.notFound: self.init(.notFound, "not_found", "This job is no longer offered.")
        case let error as ProfileFault: self.init(.badRequest, "invalid", error.message, field: error.field)
        case SearchError.tooMany(let most):
            self.init(
                .conflict, "conflict",
                "You have reached the limit of \(most) searches. Remove some that you no longer need.")
        case is SearchError, is PostingError:
            self.init(.serviceUnavailable, "unavailable", "Server error. Please try again.", retryAfter: 1)
        case let error as RequestError: self.init(.badRequest, "invalid", error.message, field: error.field)
        case let error as MultipartError: self.init(.badRequest, "invalid", error.message)
        case let error as Failure: self.init(error)
        case let error as ServingError:
            self.init(
                HTTPResponse.Status(code: error.statusCode), Self.code(of: error), error.message,
                retryAfter: error.retryAfter)
        default:
            self.init(.internalServerError, "unavailable", "Server error. Please try again.")
        }
        // A client that has left is not the service's fault, nor are more visitors than it makes pictures for.
        if status.code >= 500, !(error is CancellationError), !Self.isBusy(error) {
            context.logger.error("request failed", metadata: ["reason": "\(error)"])
        }
    }

    private static func isBusy(_ error: any Error) -> Bool {
        if case AccessError.busy = error { true } else { false }
    }

    private static func code(of error: ServingError) -> String {
        switch error {
        case .overloaded, .stopping: "unavailable"
        case .bodyTooLarge, .answerTooLarge: "too_large"
        case .bodyInterrupted, .bodyStalled, .clientLeft: "interrupted"
        case .badLength: "invalid"
        }
    }

    private init(_ error: DocumentError) {
        switch error {
        case .notFound: self.init(.notFound, "not_found", error.message)
        case .invalid(let field, _): self.init(.badRequest, "invalid", error.message, field: field)
        case .refusedType: self.init(.badRequest, "refused_type", error.message, field: "file")
        case .tooLarge: self.init(.contentTooLarge, "too_large", error.message, field: "file")
        case .overQuota: self.init(.contentTooLarge, "over_quota", error.message, field: "file")
        case .conflict, .taken, .referenced, .tooMany: self.init(.conflict, "conflict", error.message)
        case .notAllowed: self.init(.forbidden, "not_acting", error.message)
        case .quarantined: self.init(.conflict, "quarantined", error.message)
        case .full, .crowded:
            self.init(HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "full", error.message)
        case .unavailable: self.init(.serviceUnavailable, "unavailable", error.message, retryAfter: 1)
        }
    }

    private init(_ error: AccessError) {
        switch error {
        case .unauthenticated, .expired, .invalid: self.init(.unauthorized, "unauthenticated", "Sign in to continue.")
        case .foreignSite:
            self.init(.forbidden, "forbidden", "This service does not accept requests from other sites.")
        case .otherPerson:
            self.init(.conflict, "other_person", "Someone else is signed in in this browser.")
        case .notActing: self.init(.forbidden, "not_acting", error.actingMessage!)
        case .viewOnly: self.init(.forbidden, "view_only", error.actingMessage!)
        case .ownAccountOnly: self.init(.forbidden, "forbidden", error.actingMessage!)
        case .tooManyRequests(let wait):
            self.init(
                .tooManyRequests, "too_many", "Too many requests. Please try again.",
                retryAfter: Int(wait.components.seconds) + 1)
        case .busy(let wait):
            self.init(
                .serviceUnavailable, "unavailable", "The service is busy. Please try again in a moment.",
                retryAfter: Int(wait.components.seconds))
        case .unavailable:
            self.init(.serviceUnavailable, "unavailable", "Server error. Please try again.", retryAfter: 1)
        }
    }

    private init(_ failure: Failure) {
        switch failure.code {
        case .sourceMissing: self.init(.notFound, "not_found", "File no longer available")
        case .unavailable, .cancelled: self.init(.serviceUnavailable, "unavailable", failure.message, retryAfter: 1)
        case .usage: self.init(.badRequest, "invalid", failure.message)
        default: self.init(.unprocessableContent, failure.code.rawValue, failure.message)
        }
    }

    init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, field: String? = nil, retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.retryAfter = retryAfter
    }

    /// The answer if no route has the address.
    static func unknownAddress(_ path: String) -> Response {
        let answer = ErrorAnswer(.notFound, "not_found", "This address does not exist.")
        return JobRoutes.haveAddress(path) ? answer.bareResponse : answer.response
    }

    /// The answer to a method that an address does not accept: 405 with the accepted ones.
    ///
    /// - Parameter isBare: whether it has the form of JobMatchNow's calls.
    static func refused(methods: [String], isBare: Bool) -> Response {
        let list = methods.contains("GET") && !methods.contains("HEAD") ? methods + ["HEAD"] : methods
        let words = list.joined(separator: ", ")
        let answer = ErrorAnswer(.methodNotAllowed, "method", "This address allows only \(words).")
        var response = isBare ? answer.bareResponse : answer.response
        response.headers[.allow] = words
        return response
    }

    /// The same as `{"error": code, "message"}`, the form of JobMatchNow's calls.
    var bareResponse: Response {
        // These calls have a separate status for a file of another type.
        let status = code == "refused_type" ? .unsupportedMediaType : status
        return finished(
            .object(["error": .string(code), "message": .string(message), "field": field.map(JSON.string)]), status)
    }

    var response: Response {
        finished(
            .object([
                "success": .bool(false), "code": .string(code), "message": .string(message),
                "field": field.map(JSON.string),
            ]), status)
    }

    /// An error has few bytes, and is answered even if there is no memory for more.
    private func finished(_ json: JSON, _ status: HTTPResponse.Status) -> Response {
        var response = Response(
            status: status, headers: .unkeptJSON, body: ResponseBody(byteBuffer: ByteBuffer(string: json.text)))
        if let retryAfter { response.headers[.retryAfter] = "\(retryAfter)" }
        return response
    }
}

/// A request that makes no sense: a query or body that cannot be read.
struct RequestError: Error {
    let message: String
    var field: String?
}

/// A body of a media type that the route does not accept.
struct UnsupportedBody: Error {}

extension DocumentAPI {
    /// Runs `body` in the caller's turn, and writes its result there: `{"success": true, "data": …}`.
    ///
    /// - Parameter pool: `work` by default.
    func data(
        status: HTTPResponse.Status = .ok, in pool: BlockingPool? = nil,
        _ body: @escaping @Sendable () throws -> some JSONWritable
    ) async throws -> Response {
        let answer = try await (pool ?? work).run { try JSONText.answer(try body()) }
        return .data(answer, status: status)
    }

    /// The same without an envelope, the form of JobMatchNow's calls.
    func bare(
        status: HTTPResponse.Status = .ok, _ body: @escaping @Sendable () throws -> JSON
    ) async throws -> Response {
        let answer = try await work.run { try AnswerBody(try body()) }
        return .data(answer, status: status)
    }
}

extension Response {
    /// JSON that is not cached.
    static func data(_ body: AnswerBody, status: HTTPResponse.Status = .ok) -> Response {
        Response(body, status: status, headers: .unkeptJSON)
    }

    /// `{"success": true, "data": …}` with few values that are at hand. `DocumentAPI.data` writes what is read from a
    /// store.
    static func data(_ value: JSON, status: HTTPResponse.Status = .ok) throws(ServingError) -> Response {
        try bare(.object(["success": .bool(true), "data": value]), status: status)
    }

    /// The same without an envelope.
    static func bare(_ value: JSON, status: HTTPResponse.Status = .ok) throws(ServingError) -> Response {
        .data(try AnswerBody(value), status: status)
    }
}

extension ReadyAnswer {
    /// `{"success": true, "data": …}`.
    init(_ value: some JSONWritable, route: String) throws(ServingError) {
        self.init(status: .ok, headers: .unkeptJSON, body: try JSONText.answer(value), route: route)
    }
}

extension HTTPFields {
    /// The header fields of JSON that is not cached.
    fileprivate static var unkeptJSON: HTTPFields {
        [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"]
    }
}
