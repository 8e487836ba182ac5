public import People

/// How the people of a service come to be known.
public enum SigningIn: Sendable {
    /// One local person is everybody.
    case needless
    /// Persons sign in to accounts of this service.
    case here(BrowserAccounts)
    /// Persons bring tokens that are issued elsewhere: there are no accounts here, and no sessions of browsers.
    case elsewhere(any Identifying)

    /// Knows the people.
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

    /// The word that the screens are told.
    var name: String {
        switch self {
        case .needless: "off"
        case .here: "local"
        case .elsewhere: "tokens"
        }
    }
}
