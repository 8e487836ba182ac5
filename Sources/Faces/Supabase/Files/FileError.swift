internal import Documents
internal import HTTPServing
internal import HTTPTypes
internal import Hummingbird
internal import Media
internal import Objects
internal import People

/// Why a request for files fails, in the form of Supabase's storage: HTTP 400 with the status in the body.
package struct FileError: Error {
    /// The HTTP status.
    let status: Int
    private let statusCode: String
    private let error: String
    let message: String
    private let code: String
    /// Seconds, if the error gives them.
    private var wait: Int?

    /// An error whose own status is only in the body.
    init(_ statusCode: String, _ error: String, _ message: String, code: String) {
        self.init(400, statusCode, error, message, code: code)
    }

    init(_ status: Int, _ statusCode: String, _ error: String, _ message: String, code: String) {
        self.status = status
        self.statusCode = statusCode
        self.error = error
        self.message = message
        self.code = code
    }

    /// Whether there is no such file.
    var isMissing: Bool { code == Self.noObject.code }

    /// The status in the body.
    var ownStatus: Int { Int(statusCode) ?? status }

    var response: Response {
        var response = Response.wire(
            .object([
                "statusCode": .string(statusCode), "error": .string(error), "message": .string(message),
                "code": .string(code),
            ]), status: status)
        if let retryAfter { response.headers[.retryAfter] = "\(retryAfter)" }
        return response
    }

    /// Seconds after which a retry makes sense; `nil` if none does.
    var retryAfter: Int? { wait ?? (status == 503 ? 1 : nil) }

    static let noBucket = FileError("404", "Bucket not found", "Bucket not found", code: "NoSuchBucket")
    static let noObject = FileError("404", "not_found", "Object not found", code: "NoSuchKey")
    static let taken = FileError("409", "Duplicate", "The resource already exists", code: "ResourceAlreadyExists")
    static let tooLarge = FileError(
        "413", "Payload too large", "The object exceeded the maximum allowed size", code: "EntityTooLarge")
    static let notAllowed = FileError(
        "403", "Unauthorized", "new row violates row-level security policy", code: "AccessDenied")
    static let referenced = FileError(
        "409", "ResourceReferenced", "A document has this file: it cannot be moved or replaced",
        code: "ResourceReferenced")
    static let noRoute = FileError("404", "Route not found", "Route not found", code: "RouteNotFound")
    static let otherPath = FileError(
        "400", "InvalidSignature", "The token is for another path", code: "InvalidSignature")

    static func invalidKey(_ path: String) -> FileError {
        FileError("400", "InvalidKey", "Invalid key: \(path)", code: "InvalidKey")
    }

    static func invalidToken(_ message: String) -> FileError {
        FileError("400", "InvalidJWT", message, code: "InvalidJWT")
    }

    static func invalidRequest(_ message: String) -> FileError {
        FileError("400", "Error", message, code: "InvalidRequest")
    }

    static func notReady(_ message: String) -> FileError {
        FileError(503, "503", "SlowDown", message, code: "SlowDown")
    }

    init(_ error: AccessError) {
        if error == .unavailable {
            self = .notReady("Nobody can be known now. Please try again.")
            return
        }
        if case .tooManyRequests(let wait) = error {
            self.init(429, "429", "Too Many Requests", "Too many requests. Please try again.", code: "SlowDown")
            self.wait = Int(wait.components.seconds) + 1
            return
        }
        if case .busy(let wait) = error {
            self = .notReady("The service is busy. Please try again in a moment.")
            self.wait = Int(wait.components.seconds)
            return
        }
        if let message = error.actingMessage {
            self.init("403", "Unauthorized", message, code: "AccessDenied")
            return
        }
        let message = error == .expired ? "\"exp\" claim timestamp check failed" : "Invalid Compact JWS"
        self.init("403", "Unauthorized", message, code: "AccessDenied")
    }

    init(_ error: ServingError) {
        switch error {
        case .bodyTooLarge: self = .tooLarge
        case .overloaded, .stopping: self = .notReady(error.message)
        case .clientLeft: self.init(499, "499", "Error", error.message, code: "ClientClosedRequest")
        default: self.init("\(error.statusCode)", "Error", error.message, code: "InvalidRequest")
        }
    }

    init(_ error: ObjectError) {
        switch error {
        case .missing: self = .noObject
        case .tooLong, .invalidPath: self.init("400", "InvalidKey", error.message, code: "InvalidKey")
        case .busy: self.init("423", "ResourceLocked", error.message, code: "ResourceLocked")
        case .noSpace: self.init(500, "507", "Insufficient Storage", error.message, code: "StorageBackendError")
        case .damaged, .unavailable: self.init(500, "500", "Internal", error.message, code: "InternalError")
        }
    }

    init(_ error: DocumentError) {
        switch error {
        case .notFound: self = .noObject
        case .tooLarge: self = .tooLarge
        case .notAllowed: self = .notAllowed
        case .overQuota, .tooMany: self.init("413", "Payload too large", error.message, code: "EntityTooLarge")
        case .conflict, .taken: self = .taken
        case .referenced: self = .referenced
        case .full, .crowded: self.init(500, "507", "Insufficient Storage", error.message, code: "StorageBackendError")
        case .unavailable: self.init(500, "500", "Internal", error.message, code: "InternalError")
        default: self.init("400", "Error", error.message, code: "InvalidRequest")
        }
    }
}
