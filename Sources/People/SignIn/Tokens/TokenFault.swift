internal import People

/// Why a token is refused. A client learns only what `AccessError` says; the log has the word.
public enum TokenFault: String, Error, Hashable, Sendable {
    /// It is not a token: parts, base64, JSON, or a header that demands an extension.
    case malformed
    /// It claims an algorithm for which there is no key here: `none`, for example.
    case algorithm
    /// No key has the name that it gives.
    case unknownKey
    /// The signature is not of this token, or not by the key that it names.
    case signature
    /// `exp` has passed.
    case expired
    /// `exp` is absent, or not a number.
    case noEnd
    /// `nbf` is in the future, or not a number.
    case early
    /// `iss` is another issuer's.
    case issuer
    /// `aud` does not contain this service.
    case audience
    /// `role` is the role of a key of Supabase's, not of a person.
    case role
    /// `sub` is absent, or not a text of 1 to 255 bytes.
    case subject
    /// The issuer's keys have not been fetched yet.
    case unavailable

    /// The error with which the request is refused.
    var refusal: AccessError {
        switch self {
        case .expired: .expired
        case .unavailable: .unavailable
        default: .invalid
        }
    }
}
