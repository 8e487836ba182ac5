public import Media

/// A way to sign in elsewhere: somebody at a provider, who is a person here.
public struct AccountIdentity: Hashable, Sendable {
    /// The identity of this way.
    public let id: ID<AccountIdentity>
    /// Who signs in by it.
    public let person: ID<Person>
    /// Who the provider is, as `iss` says it. With `subject` it is one account's alone.
    public let issuer: String
    /// Whom the provider means, as `sub` says it: never given to somebody else, unlike an address.
    public let subject: String
    /// The provider's name in this service's settings when it was last used.
    public var provider: String
    /// The person's address at the provider when it was last used; empty where the provider told none.
    public var address: String
    /// When it was connected.
    public let created: Instant
    /// When somebody last signed in by it.
    public var used: Instant

    /// A way as a store has it.
    public init(
        id: ID<AccountIdentity>, person: ID<Person>, issuer: String, subject: String, provider: String, address: String,
        created: Instant, used: Instant
    ) {
        self.id = id
        self.person = person
        self.issuer = issuer
        self.subject = subject
        self.provider = provider
        self.address = address
        self.created = created
        self.used = used
    }
}

/// What a provider has said of somebody, signed by its key.
public struct IdentityClaim: Hashable, Sendable {
    /// As `iss`.
    public let issuer: String
    /// As `sub`.
    public let subject: String
    /// The provider's name in this service's settings.
    public let provider: String
    /// As `email`; `nil` where the provider does not tell it.
    public let address: String?
    /// Whether the provider says that the address is the person's.
    public let isConfirmed: Bool
    /// As `name`; `nil` where the provider does not tell it.
    public let name: String?

    /// A claim of these parts.
    public init(
        issuer: String, subject: String, provider: String, address: String?, isConfirmed: Bool, name: String?
    ) {
        self.issuer = issuer
        self.subject = subject
        self.provider = provider
        self.address = address
        self.isConfirmed = isConfirmed
        self.name = name
    }

    /// The way to sign in that the claim is about.
    func identity(of person: ID<Person>, at now: Instant) -> AccountIdentity {
        AccountIdentity(
            id: .make(at: now), person: person, issuer: issuer, subject: subject, provider: provider,
            address: address ?? "", created: now, used: now)
    }
}
