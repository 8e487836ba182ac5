/// Why an operation on accounts fails.
public enum AccountError: Error, Hashable, Sendable {
    /// The text is not an address that the service accepts.
    case badAddress
    /// The password has too few characters, or too many.
    case badPassword(PasswordRule.Fault)
    /// The new password is the old one.
    case samePassword
    /// Another account has the address.
    case taken
    /// The address or the password is wrong, or the account is disabled: nobody is told which.
    case badCredentials
    /// The address has yet to be confirmed, by a link that was mailed again.
    case notConfirmed
    /// A mailed link was used, is too old, or is not the service's.
    case unknownLink
    /// The account is to be removed with all data of its person, and stays disabled.
    case beingRemoved
    /// An athlete would be their own guardian.
    case ownGuardian
    /// A person has reached the limit of guardians and invitations.
    case tooManyGuardians
    /// A guardian has reached the limit of athletes.
    case tooManyAthletes
    /// The service sends no mail: the operator resets passwords.
    case noMail
    /// Too many attempts failed, or too many letters were requested.
    case tooManyAttempts(retryAfter: Duration)
    /// The refresh token is unknown, or its session has ended.
    case unknownToken
    /// The refresh token was replaced long ago. Its session has now ended.
    case reusedToken
    /// A provider has given no address that the service accepts.
    case noAddress
    /// A provider does not confirm that the address is its person's.
    case unprovenAddress
    /// Another account has this identity with the provider.
    case identityTaken
    /// Without it the person could no longer sign in.
    case lastWay
    /// There is nothing with this ID, or no longer.
    case notFound
    /// The store or the random generator fails; the detail is for the log.
    case unavailable(detail: String)
}
