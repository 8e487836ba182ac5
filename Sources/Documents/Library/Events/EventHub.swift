public import Documents
public import Media
internal import Synchronization

/// Delivers events to the clients that follow them, whichever process they come from.
///
/// It holds its lock only to look up or change its table. Mailboxes are filled, and tasks resumed, without it.
public final class EventHub: Sendable {
    private let store: DocumentStore
    private let state = Mutex(State())

    private struct State {
        var nextID = 0
        var mailboxes: [Int: EventMailbox] = [:]
        var hasEnded = false
    }

    init(store: DocumentStore) { self.store = store }

    /// Lets a client follow a person's events from now on, or from the last one that the client has seen. The client
    /// also follows the progress of their uploads, at most twice a second.
    public func follow(_ owner: ID<Person>, after last: Int64?) throws(DocumentError) -> EventFollower {
        // A restored database has fewer events than a client may have seen.
        let latest = try store.latestEvent(of: owner)
        let mailbox = EventMailbox(of: owner, after: min(last ?? latest, latest))
        let (id, hasEnded) = state.withLock { state in
            state.nextID += 1
            if !state.hasEnded { state.mailboxes[state.nextID] = mailbox }
            return (state.nextID, state.hasEnded)
        }
        let follower = EventFollower(mailbox) { [weak self] in self?.forget(id) }
        if hasEnded { mailbox.end() }
        try deliver(to: [mailbox])
        return follower
    }

    private func forget(_ id: Int) {
        _ = state.withLock { $0.mailboxes.removeValue(forKey: id) }
    }

    /// The number of clients that follow.
    public var followerCount: Int { state.withLock { $0.mailboxes.count } }

    /// Ends all streams of events, even those that begin later.
    public func end() {
        let mailboxes = state.withLock { state in
            state.hasEnded = true
            return Array(state.mailboxes.values)
        }
        for mailbox in mailboxes { mailbox.end() }
    }

    /// Delivers what the store has beyond each follower's last event.
    func deliver() throws(DocumentError) { try deliver(to: mailboxes) }

    /// A full mailbox gets its next events later: the store has them.
    private func deliver(to mailboxes: [EventMailbox]) throws(DocumentError) {
        var places: [(mailbox: EventMailbox, last: Int64)] = []
        for mailbox in mailboxes {
            if let last = mailbox.lastIfRoom { places.append((mailbox, last)) }
        }
        for (owner, places) in Dictionary(grouping: places, by: { $0.mailbox.owner }) {
            let last = places.reduce(Int64.max) { min($0, $1.last) }
            let events = try store.events(after: last, of: owner, limit: EventMailbox.capacity)
            if events.isEmpty { continue }
            for place in places { place.mailbox.put(events) }
        }
    }

    private var mailboxes: [EventMailbox] { state.withLock { Array($0.mailboxes.values) } }

    /// The people whom clients follow.
    var owners: Set<ID<Person>> { Set(mailboxes.map(\.owner)) }

    /// Delivers the progress of a person's open uploads, to each client only what it does not know.
    func tell(_ uploads: [UploadProgress], of owner: ID<Person>) {
        for mailbox in mailboxes where mailbox.owner == owner { mailbox.put(uploads) }
    }
}
