internal import Documents
internal import Linux
internal import Media
internal import Synchronization

/// What one client has yet to be told. It holds its own lock only to change its own values.
final class EventMailbox: Sendable {
    let owner: ID<Person>
    private let state: Mutex<State>
    private let wakeup = Wakeup()

    /// The most events that wait for a client that does not read.
    static let capacity = 1000

    private struct State {
        /// The number of the last event that was added.
        var last: Int64
        var events: [DocumentEvent] = []
        /// The bytes of each open upload, as the client knows them or is about to be told.
        var known: [ID<Upload>: Int64] = [:]
        /// The latest progress of each upload, if the client does not know it yet.
        var progress: [UploadProgress] = []
        var hasEnded = false
    }

    /// - Parameter last: the number of the last event that the client has seen.
    init(of owner: ID<Person>, after last: Int64) {
        self.owner = owner
        state = Mutex(State(last: last))
    }

    /// The number of the last event that was added; `nil` for a mailbox that takes no more now.
    var lastIfRoom: Int64? {
        state.withLock { $0.hasEnded || $0.events.count >= Self.capacity ? nil : $0.last }
    }

    /// Adds events that it has not had, as far as there is room. No event may be missing between its last one and the
    /// first of these.
    func put(_ events: [DocumentEvent]) {
        state.withLock { state in
            let last = state.last
            let new = events.lazy.filter { $0.number > last }.prefix(Self.capacity - state.events.count)
            state.events += new
            state.last = state.events.last.map { max($0.number, last) } ?? last
        }
        wakeup.wake()
    }

    /// Records the progress of the open uploads; these are all.
    func put(_ uploads: [UploadProgress]) {
        let isNew = state.withLock { state in
            let open = Set(uploads.map(\.upload))
            let changed = uploads.filter { state.known[$0.upload] != $0.byteCount }
            let replaced = Set(changed.map(\.upload))
            state.progress.removeAll { !open.contains($0.upload) || replaced.contains($0.upload) }
            state.progress += changed
            state.known = Dictionary(uploads.map { ($0.upload, $0.byteCount) }, uniquingKeysWith: { $1 })
            return !changed.isEmpty
        }
        if isNew { wakeup.wake() }
    }

    func end() {
        state.withLock { $0.hasEnded = true }
        wakeup.wake()
    }

    /// Takes out everything that waits, oldest event first, as soon as there is something; empty if there is nothing
    /// within `limit`.
    ///
    /// - Returns: `nil` at the end, or if the caller's task is cancelled.
    func take(within limit: Duration) async -> [ClientEvent]? {
        let deadline = Time.monotonic + limit
        while !Task.isCancelled {
            let (waiting, hasEnded) = takeWaiting()
            if !waiting.isEmpty { return waiting }
            if hasEnded { return nil }
            let rest = deadline - Time.monotonic
            if rest <= .zero { return [] }
            await wakeup.wait(atMost: rest)
        }
        return nil
    }

    private func takeWaiting() -> ([ClientEvent], hasEnded: Bool) {
        state.withLock { state in
            defer { (state.events, state.progress) = ([], []) }
            return (state.events.map { .event($0) } + state.progress.map { .progress($0) }, state.hasEnded)
        }
    }
}
