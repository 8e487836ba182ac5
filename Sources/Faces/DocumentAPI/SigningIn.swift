public import People

/// How a service identifies people.
public enum SigningIn: Sendable {
    /// Everyone is one local person.
    case needless
    /// Persons sign in to accounts of this service.
    case here(BrowserAccounts)
    /// Persons bring tokens that are issued elsewhere: this service has no accounts and no browser sessions.
    case elsewhere(any Identifying)

    /// Identifies the people.
    public var identifying: any Identifying {
        switch self {
        case .needless: LocalPerson()
        case .here(let accounts): accounts.identifying
        case .elsewhere(let identifying): identifying
        }
    }

    /// The accounts that browsers sign in to.
    var accounts: BrowserAccounts? {
        if case .here(let accounts) = self { accounts } else { nil }
    }

    /// The word that the screens get.
    var name: String {
        switch self {
        case .needless: "off"
        case .here: "local"
        case .elsewhere: "tokens"
        }
    }
}
