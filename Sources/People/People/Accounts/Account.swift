public import Media

/// A person who signs in with an address and a password, or with another provider.
public struct Account: Hashable, Sendable {
    /// The person whose documents the account opens.
    public let id: ID<Person>
    /// The person's mail address, which is also the name to sign in with.
    public let address: MailAddress
    /// The object that the person's client keeps with the account.
    public var metadata: JSON
    /// Whether the operator has disabled sign-in for the person.
    public var isDisabled: Bool
    /// When the person proved that the address is theirs; `nil` if they have not yet.
    public var confirmed: Instant?
    /// When the person signed up.
    public let created: Instant
    /// When password or metadata last changed.
    public var updated: Instant
    /// Whether a password opens the account; if not, only providers open it.
    public let hasPassword: Bool
    /// The names of the providers by which the person signs in, sorted.
    public let providers: [String]

    /// An account from a store.
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
    /// The ways to sign in by the names that clients of Supabase know: `email`, then the providers' names.
    public var wayNames: [String] { (hasPassword ? ["email"] : []) + providers }
}
