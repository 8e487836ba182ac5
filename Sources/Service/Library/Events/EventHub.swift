public import Documents
internal import Synchronization

/// Hands events to the clients that follow them, from whichever process they come.
public final class EventHub: Sendable {
    private let store: any DocumentStore
    private let state = Mutex(State())

    private struct State {
        var nextID = 0
        var followers: [Int: Follower] = [:]
    }

    private struct Follower {
        let owner: ID<Person>
        var last: Int64
        /// The bytes of each upload that the client knows of.
        var known: [ID<Upload>: Int64] = [:]
        let stream: AsyncStream<Telling>.Continuation
    }

    init(store: any DocumentStore) { self.store = store }

    /// A person's events from now on, or from behind the last one that the client has seen.
    ///
    /// The progress of uploads goes with them, at most twice a second. A client that does not read loses the oldest of more than a thousand waiting events. The stream ends when the caller drops
    /// it, or with `end`.
    public func follow(_ owner: ID<Person>, after last: Int64?) throws(DocumentError) -> AsyncStream<Telling> {
        let last = if let last { last } else { try store.latestEvent(of: owner) }
        let (stream, continuation) = AsyncStream.makeStream(
            of: Telling.self, bufferingPolicy: .bufferingNewest(1000))
        let id = state.withLock { state in
            state.nextID += 1
            state.followers[state.nextID] = Follower(owner: owner, last: last, stream: continuation)
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.followers.removeValue(forKey: id) }
        }
        try deliver()
        return stream
    }

    /// The number of clients that follow.
    public var followerCount: Int { state.withLock { $0.followers.count } }

    /// Ends all streams.
    public func end() {
        for follower in state.withLock({ Array($0.followers.values) }) { follower.stream.finish() }
    }

    /// Hands on what the store has beyond each follower's last event.
    func deliver() throws(DocumentError) {
        let owners = state.withLock { state in
            Dictionary(state.followers.values.map { ($0.owner, $0.last) }, uniquingKeysWith: min)
        }
        for (owner, last) in owners {
            let events = try store.events(after: last, of: owner, limit: 1000)
            if events.isEmpty { continue }
            state.withLock { state in
                for id in state.followers.keys where state.followers[id]?.owner == owner {
                    Self.hand(events, to: &state.followers[id]!)
                }
            }
        }
    }

    /// The people whom clients follow.
    var owners: Set<ID<Person>> { state.withLock { Set($0.followers.values.map(\.owner)) } }

    /// Hands on how far a person's open uploads have come, to each client what it does not know.
    func tell(_ uploads: [UploadProgress], of owner: ID<Person>) {
        state.withLock { state in
            for id in state.followers.keys where state.followers[id]?.owner == owner {
                let known = state.followers[id]!.known
                for upload in uploads where known[upload.upload] != upload.byteCount {
                    state.followers[id]!.stream.yield(.progress(upload))
                }
                state.followers[id]!.known = Dictionary(
                    uploads.map { ($0.upload, $0.byteCount) }, uniquingKeysWith: { $1 })
            }
        }
    }

    private static func hand(_ events: [DocumentEvent], to follower: inout Follower) {
        for event in events where event.number > follower.last {
            follower.stream.yield(.event(event))
            follower.last = event.number
        }
    }
}
