internal import Database
public import Media

/// Files that arrive within one request. A crash of the machine may lose the newest rows: a sweep finds the bytes that
/// they leave.
extension DocumentStore {
    /// Announces a file that arrives within one request, before its first byte, and reserves space for its minimum
    /// size. The caller may retry after a lost response.
    ///
    /// - Parameters:
    ///   - owner: `nil` for a file without an owner.
    ///   - allowed: the most bytes that the owner's files, or all files without an owner, may take including this one;
    ///     `nil` for no limit.
    /// - Throws: `overQuota`; `crowded`; `conflict` if the person was removed.
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

    /// Ends the arrival of a file that is not stored. An arrival that has already ended stays as it is.
    ///
    /// Deletes the row. If the row is already gone, which a crash of the machine can cause, the bytes are removed
    /// unless they have a row.
    ///
    /// - Parameter leavesBytes: whether the store may contain some of its bytes, which then become a removal.
    public func endIntake(of object: ObjectID, leavesBytes: Bool) throws(DocumentError) {
        try write(of: nil, leavesBytes ? .durable : .fast) { table in
            let count = try table.removeIntakes(where: "object_id = ?", [object.rawValue], leavesBytes: leavesBytes)
            guard count == 0, leavesBytes else { return }
            if try table.session.hasRow("SELECT 1 FROM objects WHERE id = ?", [object.rawValue]) { return }
            try table.addRemoval(of: object.rawValue, owner: nil, digest: nil)
        }
    }

    /// Files that arrive within one request and were announced at least `age` ago.
    public func intakes(olderThan age: Duration) throws(DocumentError) -> [ObjectID] {
        try read { table in
            try table.session.all(
                "SELECT object_id FROM intakes WHERE begun_at <= ? ORDER BY begun_at LIMIT 10000",
                [(table.now - age).microseconds]
            ) { $0.object(0) }
        }
    }

    /// Reserves space for an arriving file: `byteCount` bytes in all.
    ///
    /// - Throws: as `addIntake`; `notFound` or `conflict` if the arrival has ended.
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
    /// - Returns: the number of deleted rows.
    @discardableResult
    func removeIntakes(
        where condition: String, _ values: [(any SQLConvertible)?], leavesBytes: Bool = true
    ) throws -> Int {
        try removeArrivals(
            from: "intakes", where: condition, values, leavingBytes: leavesBytes ? "TRUE" : "FALSE")
    }

    /// Ends the arrival of a file that is being stored.
    ///
    /// - Throws: `notFound` or `conflict` if it has already ended: its bytes are about to be removed, or another call
    ///   stores them.
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
