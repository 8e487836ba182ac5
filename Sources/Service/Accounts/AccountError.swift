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
    /// Too many attempts failed.
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
