internal import Documents
internal import Media
internal import Synchronization

/// The room of one file on its way, which its row has. Used by one request at a time.
final class RoomReservation: Sendable {
    private let object: ObjectID
    private let owner: ID<Person>?
    private let library: DocumentLibrary
    private let held: Mutex<Int64>

    /// - Parameters:
    ///   - owner: `nil` for a file of nobody's.
    ///   - byteCount: the room that the row has already.
    init(of object: ObjectID, for owner: ID<Person>?, in library: DocumentLibrary, byteCount: Int64) {
        self.object = object
        self.owner = owner
        self.library = library
        held = Mutex(byteCount)
    }

    /// Asks for room for so many bytes in all. What is there already is not asked for again.
    ///
    /// - Throws: `overQuota`; `crowded` for a file of nobody's.
    func grow(to byteCount: Int64) throws(DocumentError) {
        guard let allowed = library.options.allowedByteCount(of: owner) else { return }
        let former = held.withLock { $0 }
        guard byteCount > former else { return }
        let step = min(former + Self.step, library.options.maxUploadByteCount)
        if byteCount <= step, (try? reserve(step, allowed)) != nil { return }
        try reserve(byteCount, allowed)
    }

    /// So much is asked for at once while a file arrives whose length nobody has declared: each question is a change of the database.
    private static let step: Int64 = 8 << 20

    private func reserve(_ byteCount: Int64, _ allowed: Int64) throws(DocumentError) {
        try library.store.reserve(byteCount, for: object, of: owner, allowed: allowed)
        held.withLock { $0 = byteCount }
    }
}
