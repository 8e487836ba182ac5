public import Documents
public import Objects

extension DocumentLibrary {
    /// Asks for room for a file on its way: the one question that every way in asks before it takes a byte.
    ///
    /// The room is the file's until it is settled: until the file's bytes count in a row, or the file is given up. So several uploads at once
    /// take no more than one after another. After the death of the process nothing is left of it.
    /// - Parameters:
    ///   - byteCount: the bytes that the file has at least; `RoomReservation.grow` asks for more.
    ///   - owner: whose file it is; `nil` for nobody's, which no bound of a person holds.
    /// - Throws: `overQuota`.
    public func reserveRoom(
        for byteCount: Int64, of owner: ID<Person>?
    ) throws(DocumentError) -> RoomReservation {
        let holder: RoomReservation.Holder = if let owner { .passing(owner) } else { .unbounded }
        let reservation = RoomReservation(holder, in: self, byteCount: 0)
        try reservation.grow(to: byteCount)
        return reservation
    }

    /// The most bytes that the rows of a person may come to, beside what other stores have of theirs; `nil` for no bound.
    func allowedByteCount(of owner: ID<Person>) throws(DocumentError) -> Int64? {
        guard let allowed = options.personByteCount else { return nil }
        return max(0, allowed - (try otherByteCount(owner)))
    }

    /// The same for rows that take room before their bytes are there: files on their way have theirs already.
    func allowedByteCount(ofUploadsOf owner: ID<Person>) throws(DocumentError) -> Int64? {
        try allowedByteCount(of: owner).map { max(0, $0 - room.byteCount(of: owner)) }
    }

    /// Gives a file that no version has its path: the one way for such files. It counts for the owner from before it is there.
    ///
    /// - Parameters:
    ///   - upload: the resumable upload by which the file came.
    ///   - commit: makes the file the object of the path.
    /// - Throws: `overQuota`, `tooMany`, or what `commit` throws, after which the file does not count.
    public func keepFile(
        at path: ObjectPath, of owner: ID<Person>, byteCount: Int64, upload: ID<Upload>? = nil,
        _ commit: () throws(ObjectError) -> Void
    ) throws(DocumentError) {
        let receipt = try store.addLooseFile(
            at: path.text, of: owner, byteCount: byteCount, allowed: try allowedByteCount(of: owner), upload: upload)
        do throws(ObjectError) {
            try commit()
        } catch {
            // The object may be there, and is the sweep's then.
            if case .unavailable = error { throw DocumentError(error) }
            try store.takeBack(receipt)
            throw DocumentError(error)
        }
    }
}
