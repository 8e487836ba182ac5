public import Documents
public import Media
internal import SQL

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

    /// Deletes the row.
    public func endIntake(of object: ObjectID, leavesBytes: Bool) throws(DocumentError) {
        try write(of: nil, leavesBytes ? .durable : .fast) { table in
            try table.removeIntakes(where: "object_id = ?", [object.rawValue], leavesBytes: leavesBytes)
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
        _ byteCount: Int64, for object: ObjectID, of owner: ID<Person>?, allowed: Int64?
    ) throws(DocumentError) {
        try write(of: owner, .fast) { table in
            if owner == nil { try table.session.take([Self.lockOfNobody]) }
            try table.requireRoom(for: byteCount, of: owner, allowed: allowed, besides: object)
            for name in ["uploads", "intakes"] {
                try table.session.execute(
                    "UPDATE \(name) SET reserved = ?1 WHERE object_id = ?2 AND reserved < ?1",
                    [byteCount, object.rawValue])
            }
        }
    }
}

extension DocumentTable {
    /// Deletes the rows of files that arrive within one request.
    func removeIntakes(
        where condition: String, _ values: [(any SQLConvertible)?], leavesBytes: Bool = true
    ) throws {
        let removed = try session.all(
            "DELETE FROM intakes WHERE \(condition) RETURNING object_id, user_id", values
        ) { row in (object: row.text(0), owner: row.text(1)) }
        guard leavesBytes else { return }
        for row in removed { try addRemoval(of: row.object, owner: row.owner, digest: nil) }
    }

    /// Ends the arrival of a file that is being stored.
    ///
    /// - Throws: `notFound` or `unavailable` where it has ended already: its bytes are about to be removed, or are another's to store.
    func end(_ arrival: ObjectArrival?, of object: ObjectID, with document: ID<Document>?) throws {
        switch arrival {
        case nil: return
        case .upload(let upload): try end(upload, with: document)
        case .intake:
            let count = try session.execute("DELETE FROM intakes WHERE object_id = ?", [object.rawValue])
            if count == 0 {
                throw DocumentError.unavailable(
                    detail: "the file \(object.rawValue) was given up: send it again")
            }
        }
    }
}
