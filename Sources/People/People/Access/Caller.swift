public import Media

/// Who a request comes from, and for whom it acts.
public struct Caller: Hashable, Sendable {
    /// The kind of a caller.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        /// A person known by their credentials.
        case person
        /// The holder of the service's secret key, who belongs to no person.
        case `operator`
        /// Somebody who has not signed in.
        case anonymous
    }

    /// The person whose documents the request is about; the ID of nobody if the caller is not a person.
    public let owner: ID<Person>
    /// The person who acts: the owner, or somebody whom the owner allows to act for them.
    public let actor: ID<Person>
    /// What kind of caller it is.
    public let role: Role
    /// What the actor may do with the owner's things.
    public let right: ActingRight
    /// The name of the sign-in by which the actor is known; `nil` for credentials that end only by expiry.
    public let session: String?

    /// A caller who acts for themselves, or for another person.
    public init(
        owner: ID<Person>, actor: ID<Person>? = nil, role: Role = .person, right: ActingRight = .manage,
        session: String? = nil
    ) {
        self.owner = owner
        self.actor = actor ?? owner
        self.role = role
        self.right = right
        self.session = session
    }

    /// Whether one person acts for another.
    public var isActing: Bool { actor != owner }

    /// The one person of a service without accounts.
    public static let local = Caller(owner: ID("00000000-0000-7000-8000-000000000001")!)
    /// The holder of the service's secret key.
    public static let `operator` = Caller(owner: nobody, role: .operator)
    /// Somebody who has not signed in.
    public static let anonymous = Caller(owner: nobody, role: .anonymous)

    private static let nobody = ID<Person>("00000000-0000-0000-0000-000000000000")!
}

/// What a person who acts for another may do with that person's things.
public enum ActingRight: String, Hashable, Sendable, CaseIterable {
    /// View them, and take copies.
    case view
    /// Anything that their owner may do with them.
    case manage
}
