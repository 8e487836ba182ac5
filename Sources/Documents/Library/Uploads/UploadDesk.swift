public import Media
internal import Synchronization

/// Who writes to which resumable upload in this process, so that a newer request can take over from an older one.
public final class UploadDesk: Sendable {
    private let writers = Mutex<[ObjectID: UploadTurn]>([:])

    /// Makes a request the writer of an upload, and tells the previous writer to stop.
    public func take(_ id: ObjectID) -> UploadTurn {
        let turn = UploadTurn(id)
        let earlier = writers.withLock { writers in
            let earlier = writers[id]
            writers[id] = turn
            return earlier
        }
        earlier?.end()
        return turn
    }

    /// Ends a request's turn, unless another request has taken over.
    public func leave(_ turn: UploadTurn) {
        writers.withLock { if $0[turn.id] === turn { $0[turn.id] = nil } }
    }
}

/// One request's turn at an upload.
public final class UploadTurn: Sendable {
    let id: ObjectID
    private let isOver = Atomic(false)

    init(_ id: ObjectID) { self.id = id }

    /// Whether a newer request has taken over: this one must stop.
    public var isOvertaken: Bool { isOver.load(ordering: .relaxed) }

    func end() { isOver.store(true, ordering: .relaxed) }
}
