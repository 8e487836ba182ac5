public import Media

/// Somebody who acts for an athlete, or is invited to.
public struct Guardianship: Hashable, Sendable {
    /// What an invitation's link and the calls that end it name.
    public let id: ID<Guardianship>
    /// The person whose documents it is about.
    public let athlete: ID<Person>
    /// Who acts; `nil` while nobody has taken the invitation.
    public var guardian: ID<Person>?
    /// What the guardian may do.
    public let right: ActingRight
    /// To whom the invitation went.
    public let address: MailAddress
    /// When the athlete gave the invitation.
    public let created: Instant
    /// When the guardian took it.
    public var accepted: Instant?

    /// How long an invitation can be taken.
    public static let invitationTime = Duration.seconds(7 * 86_400)
    /// How many guardians and invitations a person has at most.
    public static let mostOfPerson = 10
    /// For how many persons a guardian acts at most.
    public static let mostOfGuardian = 1000

    /// A guardianship as a store has it.
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

    /// When the invitation ends if nobody takes it.
    public var invitationEnd: Instant { created + Self.invitationTime }
}
