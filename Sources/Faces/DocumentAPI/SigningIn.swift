public import People

/// How a service identifies people.
public enum SigningIn: Sendable {
    /// Everyone is one local person.
    case off
    /// Persons sign in to accounts of this service.
    case here(BrowserAccounts)
    /// Persons bring tokens that are issued elsewhere: this service has no accounts and no browser sessions.
    case elsewhere(any Authenticator)

    /// Identifies the people.
    public var authenticator: any Authenticator {
        switch self {
        case .off: LocalPerson()
        case .here(let accounts): accounts.authenticator
        case .elsewhere(let authenticator): authenticator
        }
    }

    /// The accounts that browsers sign in to.
    var accounts: BrowserAccounts? {
        if case .here(let accounts) = self { accounts } else { nil }
    }

    /// The word that the screens get.
    var name: String {
        switch self {
        case .off: "off"
        case .here: "local"
        case .elsewhere: "tokens"
        }
    }
}
