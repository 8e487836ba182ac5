internal import Documents
internal import Media
internal import Synchronization

/// The space that the row of one arriving file reserves. Used by one request at a time.
final class RoomReservation: Sendable {
    private let object: ObjectID
    private let arrival: ObjectArrival
    private let owner: ID<Person>?
    private let library: DocumentLibrary
    private let limit: Int64
    private let state: Mutex<State>

    private struct State {
        var byteCount: Int64
        /// Whether to reserve more than is needed now.
        var takesSteps = true
    }

    /// - Parameters:
    ///   - owner: `nil` for a file without an owner.
    ///   - byteCount: the space that the row already has.
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

    /// Reserves space for so many bytes in all. Reserved space is not requested again.
    ///
    /// - Throws: `overQuota`; `crowded` for a file without an owner; `notFound` or `conflict` if the arrival has ended.
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

    /// The space to reserve at once for an arriving file of undeclared length: each reservation is a change of the
    /// database.
    private static let step: Int64 = 8 << 20

    private func reserve(_ byteCount: Int64, _ allowed: Int64) throws(DocumentError) {
        try library.store.reserve(byteCount, for: object, arrival, of: owner, allowed: allowed)
        state.withLock { $0.byteCount = byteCount }
    }
}
