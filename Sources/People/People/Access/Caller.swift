public import Media

/// Who a request comes from, and for whom it acts.
public struct Caller: Hashable, Sendable {
    /// What kind of caller somebody is.
    public enum Role: String, Hashable, Sendable, CaseIterable {
        /// Somebody who is known by their credentials.
        case person
        /// The holder of the service's secret key, who belongs to no person.
        case `operator`
        /// Somebody who has not signed in.
        case anonymous
    }

    /// The person whose documents the request is about; an identity of nobody's where no person calls.
    public let owner: ID<Person>
    /// The person who acts: the owner, or somebody whom the owner lets act for them.
    public let actor: ID<Person>
    /// What kind of caller it is.
    public let role: Role
    /// What the actor may do with the owner's things.
    public let right: ActingRight
    /// The name of the sign-in by which the actor is known; `nil` for credentials that end by themselves alone.
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

/// What somebody who acts for another person may do with that person's things.
public enum ActingRight: String, Hashable, Sendable, CaseIterable {
    /// Look at them, and take copies.
    case view
    /// Whatever their owner may do with them.
    case manage
}
