internal import Objects
internal import Synchronization

/// Who writes to which resumable upload: a newer request takes over from an older one.
final class UploadTurns: Sendable {
    /// One request's turn.
    final class Turn: Sendable {
        let id: IncomingID
        private let isOver = Atomic(false)

        fileprivate init(_ id: IncomingID) { self.id = id }

        /// Whether a newer request has come: this one must stop.
        var isOvertaken: Bool { isOver.load(ordering: .relaxed) }

        fileprivate func end() { isOver.store(true, ordering: .relaxed) }
    }

    private let turns = Mutex<[IncomingID: Turn]>([:])

    func take(_ id: IncomingID) -> Turn {
        let turn = Turn(id)
        let earlier = turns.withLock { turns in
            let earlier = turns[id]
            turns[id] = turn
            return earlier
        }
        earlier?.end()
        return turn
    }

    func leave(_ turn: Turn) {
        turns.withLock { if $0[turn.id] === turn { $0[turn.id] = nil } }
    }
}
