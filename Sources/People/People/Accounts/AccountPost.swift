/// Sends letters to the addresses of accounts. A call returns at once; a letter that cannot be sent is logged.
public protocol AccountPost: Sendable {
    /// Sends a letter in the background.
    func send(_ letter: AccountLetter, to address: MailAddress)
}

/// What the owner of an address is written.
public enum AccountLetter: Hashable, Sendable {
    /// Somebody has signed up with the address: the link confirms it.
    case confirmation(token: String)
    /// Somebody has signed up with the address, which has an account.
    case alreadyRegistered
    /// Somebody asks for a new password: the link sets one.
    case reset(token: String)
    /// The password was changed, in whatever way.
    case passwordChanged
    /// The account was removed, with everything that was its person's.
    case removed
    /// An athlete invites the owner of the address to act for them: the link takes the invitation.
    case invitation(token: String, from: MailAddress)
    /// A provider was connected: whoever signs in there opens the account.
    case connected(provider: String)
}
