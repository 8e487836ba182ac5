public import Media

/// What somebody did: who, to whose things, what, from where, when. It has no contents, titles, mail addresses or
/// tokens.
public struct AuditEntry: Hashable, Sendable {
    /// When it ended.
    public var time: Instant
    /// Who did it; `nil` if nobody is known.
    public var actor: ID<Person>?
    /// Whose things it was about; `nil` if that is not known.
    public var owner: ID<Person>?
    /// `person`, `operator`, `visitor` of a link, or `nobody`.
    public var role: String
    /// The route: `DELETE /api/documents/{id}`. `**` if the entry stands for requests of several routes.
    public var action: String
    /// What it was about; the member `subject` of the log's line.
    public var things: AuditThings?
    /// The answer's status; 0 if the entry stands for requests of several routes.
    public var status: Int
    /// The address that the request came from.
    public var client: String
    /// The request's ID, which the log repeats.
    public var request: String
    /// How many requests the entry stands for, if they have no entries of their own; then it has no client and no
    /// request.
    var count: Int64?

    /// An entry of these parts.
    public init(
        time: Instant, actor: ID<Person>?, owner: ID<Person>?, role: String, action: String, things: AuditThings?,
        status: Int, client: String, request: String
    ) {
        self.time = time
        self.actor = actor
        self.owner = owner
        self.role = role
        self.action = action
        self.things = things
        self.status = status
        self.client = client
        self.request = request
    }

    /// The entry as one object.
    var json: JSON {
        .object([
            "time": .string(time.description), "actor": actor.map { .string($0.text) } ?? .null,
            "owner": owner.map { .string($0.text) } ?? .null, "role": .string(role), "action": .string(action),
            "subject": (things?.text).map(JSON.string) ?? .null, "status": .integer(Int64(status)),
            "client": count == nil ? .string(client) : .null, "request": count == nil ? .string(request) : .null,
            "count": count.map(JSON.integer),
        ])
    }
}
