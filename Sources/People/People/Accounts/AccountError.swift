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
    /// The account is to be removed with everything that is its person's, and stays disabled.
    case beingRemoved
    /// An athlete would be their own guardian.
    case ownGuardian
    /// A person has as many guardians and invitations as they may.
    case tooManyGuardians
    /// A guardian acts for as many persons as they may.
    case tooManyAthletes
    /// The service sends no mail: the operator resets passwords.
    case noMail
    /// Too many attempts failed, or too many letters were asked for.
    case tooManyAttempts(retryAfter: Duration)
    /// The refresh token is unknown, or its session has ended.
    case unknownToken
    /// The refresh token was replaced long ago. Its session has ended now.
    case reusedToken
    /// A provider has told no address that the service takes.
    case noAddress
    /// A provider does not say that the address is its person's.
    case unprovenAddress
    /// Another account is opened by this person at the provider.
    case identityTaken
    /// Without it the person could not sign in any more.
    case lastWay
    /// Nobody has this identity, or not any more.
    case notFound
    /// The store or the random generator fails; the detail is for the log.
    case unavailable(detail: String)
}
