internal import People

/// Why a token is refused. A client is not told more than `AccessError` says; the log has the word.
public enum TokenFault: String, Error, Hashable, Sendable {
    /// It is no token: parts, base64, JSON, or a header that demands an extension.
    case malformed
    /// It says that it is signed in a way for which there is no key here: `none`, for example.
    case algorithm
    /// No key has its name.
    case unknownKey
    /// The signature is not of this token, or not by the key that it names.
    case signature
    /// `exp` has passed.
    case expired
    /// `exp` is absent, or no number.
    case noEnd
    /// `nbf` is still to come, or no number.
    case early
    /// `iss` is another issuer's.
    case issuer
    /// `aud` does not have this service.
    case audience
    /// `role` is that of a key of Supabase's: no person's.
    case role
    /// `sub` is absent, or no text of 1 to 255 bytes.
    case subject
    /// The issuer's keys have not arrived yet.
    case unavailable

    /// What the request is refused with.
    var refusal: AccessError {
        switch self {
        case .expired: .expired
        case .unavailable: .unavailable
        default: .invalid
        }
    }
}
