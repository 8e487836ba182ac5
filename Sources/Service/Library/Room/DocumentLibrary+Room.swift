public import Documents

extension DocumentLibrary {
    /// Asks for room for a file on its way: the one question that every way in asks before it takes a byte.
    ///
    /// The room is the file's until it is settled: until the file's bytes count in a row, or the file is given up. So several uploads at once
    /// take no more than one after another. After the death of the process nothing is left of it.
    /// - Parameters:
    ///   - byteCount: the bytes that the file has at least; `RoomReservation.grow` asks for more.
    ///   - owner: whose file it is; `nil` for nobody's, which all share one bound.
    /// - Throws: `overQuota`; `crowded` for a file of nobody's.
    public func reserveRoom(
        for byteCount: Int64, of owner: ID<Person>?
    ) throws(DocumentError) -> RoomReservation {
        let reservation = RoomReservation(.passing(owner), in: self, byteCount: 0)
        try reservation.grow(to: byteCount)
        return reservation
    }

    /// The most bytes that a person's rows may come to that take room before their bytes are there: files on their way have theirs already.
    /// `nil` for no bound.
    func allowedByteCount(ofUploadsOf owner: ID<Person>) -> Int64? {
        options.personByteCount.map { max(0, $0 - room.byteCount(of: owner)) }
    }
}
