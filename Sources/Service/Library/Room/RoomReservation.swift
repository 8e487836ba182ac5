public import Documents
internal import Synchronization

/// The room of one file on its way. Used by one request at a time.
public final class RoomReservation: Sendable {
    /// What the room is taken from.
    enum Holder: Sendable {
        /// The sum of the files that this process takes in for a person, or for nobody.
        case passing(ID<Person>?)
        /// The row of a resumable upload, where it stays when the request ends.
        case upload(ID<Upload>, of: ID<Person>)
    }

    private let holder: Holder
    private let library: DocumentLibrary
    private let held: Mutex<Int64>

    /// - Parameter byteCount: the room that the holder has for the file already.
    init(_ holder: Holder, in library: DocumentLibrary, byteCount: Int64) {
        self.holder = holder
        self.library = library
        held = Mutex(byteCount)
    }

    deinit { settle() }

    /// Asks for room for so many bytes in all. What is there already is not asked for again.
    ///
    /// - Throws: `overQuota`; `crowded` for a file of nobody's.
    public func grow(to byteCount: Int64) throws(DocumentError) {
        let former = held.withLock { $0 }
        guard byteCount > former else { return }
        switch holder {
        case .passing(let owner):
            let step = former + Self.passingStep
            if former == 0 || byteCount > step || (try? take(step, former, owner)) == nil {
                try take(byteCount, former, owner)
            }
        case .upload(let id, let owner):
            guard library.options.personByteCount != nil else { return }
            let allowed = library.allowedByteCount(ofUploadsOf: owner)
            let step = min(former + Self.uploadStep, library.options.maxUploadByteCount)
            if byteCount <= step, (try? reserve(step, id, owner, allowed)) != nil { return }
            try reserve(byteCount, id, owner, allowed)
        }
    }

    /// So much is asked for at once while a file arrives whose length nobody has declared.
    private static let passingStep: Int64 = 1 << 20
    /// The same where each question is a change of the database.
    private static let uploadStep: Int64 = 8 << 20

    private func take(_ byteCount: Int64, _ former: Int64, _ owner: ID<Person>?) throws(DocumentError) {
        guard let allowed = library.options.allowedByteCount(of: owner) else { return }
        let others = library.room.add(byteCount - former, for: owner) - former
        do throws(DocumentError) {
            // Read after the sum of files on their way: a file that was stored in between counts twice, and never not at all.
            let used = try library.store.usedByteCount(of: owner) + others
            guard used + byteCount <= allowed else { throw .noRoom(for: owner, used: used, allowed: allowed) }
        } catch {
            _ = library.room.add(former - byteCount, for: owner)
            throw error
        }
        held.withLock { $0 = byteCount }
    }

    private func reserve(
        _ byteCount: Int64, _ id: ID<Upload>, _ owner: ID<Person>, _ allowed: Int64?
    ) throws(DocumentError) {
        try library.store.reserve(byteCount, forUpload: id, of: owner, allowed: allowed)
        held.withLock { $0 = byteCount }
    }

    /// Ends the reservation: the file counts in a row now, or there is none.
    public func settle() {
        guard case .passing(let owner) = holder else { return }
        let former = held.withLock { held in
            defer { held = 0 }
            return held
        }
        if former > 0 { _ = library.room.add(-former, for: owner) }
    }
}

/// The bytes of the files that this process takes in, by person; those of nobody's together.
final class PassingBytes: Sendable {
    private let sums = Mutex<[ID<Person>?: Int64]>([:])

    /// Changes a person's sum.
    ///
    /// - Returns: the sum before.
    func add(_ byteCount: Int64, for owner: ID<Person>?) -> Int64 {
        sums.withLock { sums in
            let former = sums[owner] ?? 0
            sums[owner] = former + byteCount == 0 ? nil : former + byteCount
            return former
        }
    }

    func byteCount(of owner: ID<Person>) -> Int64 { sums.withLock { $0[owner] ?? 0 } }
}
