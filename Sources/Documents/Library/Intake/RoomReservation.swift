internal import Documents
internal import Media
internal import Synchronization

/// The room of one file on its way, which its row has. Used by one request at a time.
final class RoomReservation: Sendable {
    private let object: ObjectID
    private let arrival: ObjectArrival
    private let owner: ID<Person>?
    private let library: DocumentLibrary
    private let limit: Int64
    private let state: Mutex<State>

    private struct State {
        var byteCount: Int64
        /// Whether more is asked for than is needed now.
        var takesSteps = true
    }

    /// - Parameters:
    ///   - owner: `nil` for a file of nobody's.
    ///   - byteCount: the room that the row has already.
    ///   - limit: the most bytes of the file.
    init(
        of object: ObjectID, _ arrival: ObjectArrival, for owner: ID<Person>?, in library: DocumentLibrary,
        byteCount: Int64, atMost limit: Int64
    ) {
        self.object = object
        self.arrival = arrival
        self.owner = owner
        self.library = library
        self.limit = limit
        state = Mutex(State(byteCount: byteCount))
    }

    /// Asks for room for so many bytes in all. What is there already is not asked for again.
    ///
    /// - Throws: `overQuota`; `crowded` for a file of nobody's; `notFound` or `conflict` where the arrival has ended.
    func grow(to byteCount: Int64) throws(DocumentError) {
        guard let allowed = library.options.allowedByteCount(of: owner) else { return }
        let known = state.withLock { $0 }
        guard byteCount > known.byteCount else { return }
        let step = min(known.byteCount + Self.step, limit)
        if known.takesSteps, byteCount <= step {
            if (try? reserve(step, allowed)) != nil { return }
            state.withLock { $0.takesSteps = false }
        }
        try reserve(byteCount, allowed)
    }

    /// So much is asked for at once while a file arrives whose length nobody has declared: each question is a change of the database.
    private static let step: Int64 = 8 << 20

    private func reserve(_ byteCount: Int64, _ allowed: Int64) throws(DocumentError) {
        try library.store.reserve(byteCount, for: object, arrival, of: owner, allowed: allowed)
        state.withLock { $0.byteCount = byteCount }
    }
}
