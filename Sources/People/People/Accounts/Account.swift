public import Media

/// Somebody who signs in with an address and a password, or by a provider elsewhere.
public struct Account: Hashable, Sendable {
    /// The person whose documents the account opens.
    public let id: ID<Person>
    /// Where the person gets mail, and the name to sign in with.
    public let address: MailAddress
    /// The object that the person's client keeps beside the account.
    public var metadata: JSON
    /// Whether the operator keeps the person from signing in.
    public var isDisabled: Bool
    /// When the person proved that the address is theirs; `nil` where they have not yet.
    public var confirmed: Instant?
    /// When the person signed up.
    public let created: Instant
    /// When password or metadata last changed.
    public var updated: Instant
    /// Whether a password opens the account; else it is opened by providers alone.
    public let hasPassword: Bool
    /// The names of the providers by which the person signs in, sorted.
    public let providers: [String]

    /// An account as a store has it.
    public init(
        id: ID<Person>, address: MailAddress, metadata: JSON, isDisabled: Bool, confirmed: Instant?,
        created: Instant, updated: Instant, hasPassword: Bool = true, providers: [String] = []
    ) {
        self.id = id
        self.address = address
        self.metadata = metadata
        self.isDisabled = isDisabled
        self.confirmed = confirmed
        self.created = created
        self.updated = updated
        self.hasPassword = hasPassword
        self.providers = providers
    }
}

extension Account {
    /// The ways to sign in by the names that clients of Supabase know: `email`, then those of providers.
    public var wayNames: [String] { (hasPassword ? ["email"] : []) + providers }
}
