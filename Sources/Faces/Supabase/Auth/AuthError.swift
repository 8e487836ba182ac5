internal import HTTPServing
internal import HTTPTypes
internal import Hummingbird
internal import Media
internal import NIOCore
internal import People
internal import SignIn

/// A refusal in the words of Supabase's accounts.
struct AuthError: Error {
    let status: Int
    let code: String
    let message: String
    var retryAfter: Int64?
    var reasons: [String]?

    init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    static let noToken = AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token")
    static let notFound = AuthError(404, "not_found", "There is nothing at this address")

    static func invalid(_ message: String) -> AuthError { AuthError(400, "validation_failed", message) }

    private static func tooMany(_ seconds: Int64) -> AuthError {
        var error = AuthError(429, "over_request_rate_limit", "Too many attempts. Try again in \(seconds) s.")
        error.retryAfter = seconds
        return error
    }

    /// The refusal for any error; `nil` for one that is the service's own fault.
    init?(_ error: any Error) {
        switch ServingError(error) ?? error {
        case let error as AuthError: self = error
        case let error as AccountError:
            guard let known = Self.known(error) else { return nil }
            self = known
        case let error as AccessError:
            switch error {
            case .unauthenticated: self = .noToken
            case .expired: self.init(403, "bad_jwt", "The token has expired")
            case .unavailable: self = .tooMany(1)
            case .tooManyRequests(let wait): self = .tooMany(wait.components.seconds + 1)
            default: self.init(403, "bad_jwt", "The token is not valid")
            }
        case let fault as SignInElsewhere.CodeFault: self.init(fault)
        case let error as ServingError: self.init(error)
        default: return nil
        }
    }

    private init(_ error: ServingError) {
        switch error {
        case .overloaded: self = .tooMany(2)
        case .stopping: self.init(503, "unexpected_failure", error.message)
        case .bodyTooLarge: self.init(413, "validation_failed", "The body is too long")
        case .bodyStalled: self.init(408, "request_timeout", "The body did not arrive in time")
        case .bodyInterrupted, .badLength: self.init(400, "bad_json", "Could not read request body")
        case .answerTooLarge: self.init(400, "unexpected_failure", error.message)
        case .clientLeft: self.init(499, "unexpected_failure", error.message)
        }
        retryAfter = retryAfter ?? error.retryAfter.map { Int64($0) }
    }

    private static func known(_ error: AccountError) -> AuthError? {
        switch error {
        case .notConfirmed: return AuthError(400, "email_not_confirmed", "Email not confirmed")
        case .unknownLink: return AuthError(403, "otp_expired", "Email link is invalid or has expired")
        case .noMail: return AuthError(422, "email_provider_disabled", "This service sends no mail")
        case .badAddress: return .invalid("Unable to validate email address: invalid format")
        case .badPassword(let fault):
            var answer = AuthError(422, "weak_password", fault.message)
            answer.reasons = ["length"]
            return answer
        case .samePassword:
            return AuthError(422, "same_password", "New password should be different from the old password.")
        case .taken: return AuthError(422, "user_already_exists", "User already registered")
        case .badCredentials: return AuthError(400, "invalid_credentials", "Invalid login credentials")
        case .tooManyAttempts(let wait): return .tooMany(wait.components.seconds + 1)
        case .unknownToken:
            return AuthError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
        case .reusedToken:
            return AuthError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")
        case .notFound: return AuthError(403, "user_not_found", "User from sub claim in JWT does not exist")
        case .noAddress, .unprovenAddress, .identityTaken, .lastWay: return nil
        case .unavailable, .ownGuardian, .tooManyGuardians, .tooManyAthletes, .beingRemoved: return nil
        }
    }

    /// - Parameter version: the client's `X-Supabase-Api-Version`, which decides the form. Clients without one expect
    ///   401 for an invalid token, and refresh it then.
    func response(version: String?) -> Response {
        let status = version == nil && code == "bad_jwt" ? 401 : status
        let weak = reasons.map { JSON.object(["reasons": .array($0.map { .string($0) })]) }
        let isNew = version == "2024-01-01"
        let json: JSON =
            isNew
            ? .object(["code": .string(code), "message": .string(message), "weak_password": weak])
            : .object([
                "code": .integer(Int64(status)), "error_code": .string(code), "msg": .string(message),
                "weak_password": weak,
            ])
        var response = Response.account(json, status: status)
        if isNew { response.headers[AuthWire.versionField] = version }
        if let retryAfter { response.headers[.retryAfter] = "\(retryAfter)" }
        return response
    }
}

extension Response {
    /// JSON about an account, which must not be cached.
    static func account(_ json: JSON, status: Int = 200) -> Response {
        Response(
            status: HTTPResponse.Status(code: status),
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json.text)))
    }
}
