public import Documents

/// Who a request comes from, and for whom it acts.
public struct Caller: Hashable, Sendable {
    /// The person whose documents the request is about.
    public let owner: ID<Person>
    /// The person who acts: the owner, or somebody whom the owner lets act for them.
    public let actor: ID<Person>

    /// A caller who acts for themselves, or for another person.
    public init(owner: ID<Person>, actor: ID<Person>? = nil) {
        self.owner = owner
        self.actor = actor ?? owner
    }

    /// The one person of a service without accounts.
    public static let local = Caller(owner: ID("00000000-0000-7000-8000-000000000001")!)
}
