/// Why an operation on accounts fails.
public enum AccountError: Error, Hashable, Sendable {
    /// The text is no address that the service takes.
    case badAddress
    /// The password has too few characters, or too many.
    case badPassword(PasswordRule.Fault)
    /// The new password is the old one.
    case samePassword
    /// Another account has the address.
    case taken
    /// Address or password is wrong, or the account is disabled: which of these, nobody is told.
    case badCredentials
    /// The address is still to be confirmed, by a link that was mailed again.
    case notConfirmed
    /// A mailed link was used, is too old, or is none of the service's.
    case unknownLink
    /// The service sends no mail: the operator resets passwords.
    case noMail
    /// Too many attempts failed, or too many letters were asked for.
    case tooManyAttempts(retryAfter: Duration)
    /// The refresh token is unknown, or its session has ended.
    case unknownToken
    /// The refresh token was replaced long ago. Its session has ended now.
    case reusedToken
    /// Nobody has this identity, or not any more.
    case notFound
    /// The store or the random generator fails; the detail is for the log.
    case unavailable(detail: String)
}
