public import Media

/// Somebody who acts for an athlete, or is invited to.
public struct Guardianship: Hashable, Sendable {
    /// The ID in an invitation's link and in the calls that end it.
    public let id: ID<Guardianship>
    /// The person whose documents it is about.
    public let athlete: ID<Person>
    /// The person who acts; `nil` while the invitation is open.
    public var guardian: ID<Person>?
    /// What the guardian may do.
    public let right: ActingRight
    /// The address that the invitation was sent to.
    public let address: MailAddress
    /// When the athlete made the invitation.
    public let created: Instant
    /// When the guardian accepted it.
    public var accepted: Instant?

    /// How long an invitation can be accepted.
    public static let invitationTime = Duration.seconds(7 * 86_400)
    /// The most guardians and invitations of a person.
    public static let mostOfPerson = 10
    /// The most persons for whom a guardian acts.
    public static let mostOfGuardian = 1000

    /// A guardianship from a store.
    public init(
        id: ID<Guardianship>, athlete: ID<Person>, guardian: ID<Person>? = nil, right: ActingRight,
        address: MailAddress, created: Instant, accepted: Instant? = nil
    ) {
        self.id = id
        self.athlete = athlete
        self.guardian = guardian
        self.right = right
        self.address = address
        self.created = created
        self.accepted = accepted
    }

    /// When the invitation expires if nobody accepts it.
    public var invitationEnd: Instant { created + Self.invitationTime }
}
