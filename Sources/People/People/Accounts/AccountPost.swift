/// Sends letters to the addresses of accounts. A call returns at once; a letter that cannot be sent is logged.
public protocol AccountPost: Sendable {
    /// Sends a letter in the background.
    func send(_ letter: AccountLetter, to address: MailAddress)
}

/// The letters that the owner of an address receives.
public enum AccountLetter: Hashable, Sendable {
    /// Somebody has signed up with the address: the link confirms it.
    case confirmation(token: String)
    /// Somebody has tried to sign up with the address, which has an account already.
    case alreadyRegistered
    /// Somebody has requested a new password: the link sets one.
    case reset(token: String)
    /// The password was changed, by any means.
    case passwordChanged
    /// The account was removed, with all data of its person.
    case removed
    /// An athlete invites the owner of the address to act for them: the link accepts the invitation.
    case invitation(token: String, from: MailAddress)
    /// A provider was connected: a person who signs in there opens the account.
    case connected(provider: String)
}
