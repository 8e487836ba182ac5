public import Media

/// An identity with another provider, by which a person signs in here.
public struct AccountIdentity: Hashable, Sendable {
    /// This service's own ID, unlike `subject`.
    public let id: ID<AccountIdentity>
    /// The person who signs in by it.
    public let person: ID<Person>
    /// The provider, as in `iss`. Only one account has it together with `subject`.
    public let issuer: String
    /// The person at the provider, as in `sub`: unlike an address, it is never given to somebody else.
    public let subject: String
    /// The provider's name in this service's settings when it was last used.
    public var provider: String
    /// The person's address at the provider when it was last used; empty if the provider gave none.
    public var address: String
    /// When it was connected.
    public let created: Instant
    /// When the person last signed in by it.
    public var used: Instant

    /// An identity from a store.
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

/// A provider's statement about a person, signed by its key.
public struct IdentityClaim: Hashable, Sendable {
    /// As `iss`.
    public let issuer: String
    /// As `sub`.
    public let subject: String
    /// The provider's name in this service's settings.
    public let provider: String
    /// As `email`; `nil` if the provider does not give it.
    public let address: String?
    /// Whether the provider confirms that the address is the person's.
    public let isConfirmed: Bool
    /// As `name`; `nil` if the provider does not give it.
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

    /// The identity that the claim is about.
    func identity(of person: ID<Person>, at now: Instant) -> AccountIdentity {
        AccountIdentity(
            id: .make(at: now), person: person, issuer: issuer, subject: subject, provider: provider,
            address: address ?? "", created: now, used: now)
    }
}
