internal import Database
public import Media

/// Files that arrive within one request. A crash of the machine may take the newest rows along: the bytes that it leaves are found by a sweep.
extension DocumentStore {
    /// Announces a file that arrives within one request, before its first byte. It takes the room of the bytes that it has at least. The call
    /// may be repeated after a lost answer.
    ///
    /// - Parameters:
    ///   - owner: `nil` for a file of nobody's.
    ///   - allowed: the most bytes that the owner's files, or all of nobody's, may take with this one; `nil` for no bound.
    /// - Throws: `overQuota`; `crowded`; `conflict` where the person was removed.
    public func addIntake(
        of object: ObjectID, for owner: ID<Person>?, byteCount: Int64, allowed: Int64?
    ) throws(DocumentError) {
        try write(of: owner, .fast) { table in
            if let owner {
                try Self.requireNotRemoved(owner, in: table)
            } else {
                try table.session.take([Self.lockOfNobody])
            }
            try table.requireRoom(for: byteCount, of: owner, allowed: allowed, besides: object)
            try table.session.execute(
                "INSERT INTO intakes VALUES (?, ?, ?, ?) ON CONFLICT (object_id) DO NOTHING",
                [object.rawValue, owner?.text, byteCount, table.now.microseconds])
        }
    }

    /// Ends the arrival of a file that is not stored. One that has ended already is left as it is.
    ///
    /// Deletes the row. If it is gone already, as a crash of the machine may have taken it, the bytes are removed unless they have a row.
    ///
    /// - Parameter leavesBytes: whether something of it may be in the store, which then becomes a removal.
    public func endIntake(of object: ObjectID, leavesBytes: Bool) throws(DocumentError) {
        try write(of: nil, leavesBytes ? .durable : .fast) { table in
            let count = try table.removeIntakes(where: "object_id = ?", [object.rawValue], leavesBytes: leavesBytes)
            guard count == 0, leavesBytes else { return }
            if try table.session.hasRow("SELECT 1 FROM objects WHERE id = ?", [object.rawValue]) { return }
            try table.addRemoval(of: object.rawValue, owner: nil, digest: nil)
        }
    }

    /// Files that arrive within one request, and were announced at least `age` ago.
    public func intakes(olderThan age: Duration) throws(DocumentError) -> [ObjectID] {
        try read { table in
            try table.session.all(
                "SELECT object_id FROM intakes WHERE begun_at <= ? ORDER BY begun_at LIMIT 10000",
                [(table.now - age).microseconds]
            ) { $0.object(0) }
        }
    }

    /// Gives a file on its way room for so many bytes in all.
    ///
    /// - Throws: as `addIntake`; `notFound` or `conflict` where the arrival has ended.
    public func reserve(
        _ byteCount: Int64, for object: ObjectID, _ arrival: ObjectArrival, of owner: ID<Person>?, allowed: Int64?
    ) throws(DocumentError) {
        try write(of: owner, .fast) { table in
            if owner == nil { try table.session.take([Self.lockOfNobody]) }
            try table.requireRoom(for: byteCount, of: owner, allowed: allowed, besides: object)
            let count = try table.session.execute(
                """
                UPDATE \(arrival == .intake ? "intakes" : "uploads")
                SET reserved = CASE WHEN reserved < ?1 THEN ?1 ELSE reserved END WHERE object_id = ?2
                """, [byteCount, object.rawValue])
            if count == 0 { throw arrival == .intake ? DocumentError.givenUp : .notFound(.upload) }
        }
    }
}

extension DocumentTable {
    /// Deletes the rows of files that arrive within one request.
    ///
    /// - Returns: how many there were.
    @discardableResult
    func removeIntakes(
        where condition: String, _ values: [(any SQLConvertible)?], leavesBytes: Bool = true
    ) throws -> Int {
        try removeArrivals(
            from: "intakes", where: condition, values, leavingBytes: leavesBytes ? "TRUE" : "FALSE")
    }

    /// Ends the arrival of a file that is being stored.
    ///
    /// - Throws: `notFound` or `conflict` where it has ended already: its bytes are about to be removed, or are another's to store.
    func end(_ arrival: ObjectArrival?, of object: ObjectID, with document: ID<Document>?) throws {
        switch arrival {
        case nil: return
        case .upload(let upload): try end(upload, with: document)
        case .intake:
            let count = try session.execute("DELETE FROM intakes WHERE object_id = ?", [object.rawValue])
            if count == 0 { throw DocumentError.givenUp }
        }
    }
}

extension DocumentError {
    fileprivate static let givenUp = DocumentError.conflict(message: "This upload was abandoned. Send the file again.")
}
