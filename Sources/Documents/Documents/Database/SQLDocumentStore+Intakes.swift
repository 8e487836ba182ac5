internal import Database
public import Media

/// Files that arrive within one request. A crash of the machine may take the newest rows along: the bytes that it leaves are found by a sweep.
extension SQLDocumentStore {
    /// Inserts the row.
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

    /// Deletes the row. If it is gone already, as a crash of the machine may have taken it, the bytes are removed unless they have a row.
    public func endIntake(of object: ObjectID, leavesBytes: Bool) throws(DocumentError) {
        try write(of: nil, leavesBytes ? .durable : .fast) { table in
            let count = try table.removeIntakes(where: "object_id = ?", [object.rawValue], leavesBytes: leavesBytes)
            guard count == 0, leavesBytes else { return }
            if try table.session.hasRow("SELECT 1 FROM objects WHERE id = ?", [object.rawValue]) { return }
            try table.addRemoval(of: object.rawValue, owner: nil, digest: nil)
        }
    }

    /// Reads all of them: there are about as many as requests that take a file.
    public func intakes(olderThan age: Duration) throws(DocumentError) -> [ObjectID] {
        try read { table in
            try table.session.all(
                "SELECT object_id FROM intakes WHERE begun_at <= ? ORDER BY begun_at LIMIT 10000",
                [(table.now - age).microseconds]
            ) { $0.object(0) }
        }
    }

    /// Writes the room, which only grows.
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
