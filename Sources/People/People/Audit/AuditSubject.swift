public import Media
internal import Synchronization

/// The person and things that a request's handler identifies.
public final class AuditSubject: Sendable {
    /// What is known of a request.
    public struct Knowledge: Sendable {
        /// The person who has signed in by this request.
        public var actor: ID<Person>?
        /// Whose things it is about.
        public var owner: ID<Person>?
        /// The IDs of the things.
        public var things: AuditThings?
    }

    private let state = Mutex(Knowledge())

    /// Starts without any knowledge.
    public init() {}

    /// What is known so far.
    public var knowledge: Knowledge { state.withLock { $0 } }

    /// Records a person who has signed in, signed up or signed in again.
    public func note(actor: ID<Person>) { state.withLock { ($0.actor, $0.owner) = (actor, actor) } }

    /// Records who acts, and for whom.
    public func note(actor: ID<Person>, for owner: ID<Person>) {
        state.withLock { ($0.actor, $0.owner) = (actor, owner) }
    }

    /// Records the IDs of the things that the request is about.
    public func note(things: AuditThings) { state.withLock { $0.things = things } }

    /// Records whose things the request is about.
    public func note(owner: ID<Person>, things: AuditThings?) {
        state.withLock { ($0.owner, $0.things) = (owner, things) }
    }
}
