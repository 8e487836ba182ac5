internal import Database
public import Media

/// The rows of stored files, and the space that they take.
extension DocumentStore {
    /// Gives a file whose bytes are stored its row: from now on it counts. The caller may retry after a lost response.
    ///
    /// - Parameters:
    ///   - replacing: whether the same change removes another file at its path.
    ///   - allowed: the most bytes that the owner's files, or all files without an owner, may take including this one;
    ///     `nil` for no limit.
    ///   - arrival: the row by which the file arrived, which ends with this call and whose space the file takes over;
    ///     `nil` for an unannounced file.
    ///   - isAllowed: as for `add(_:if:)` of a version.
    /// - Throws: `notAllowed`; `taken` if another file has the path and must not be replaced; `referenced` if a version
    ///   names that file; `overQuota`; `crowded`; `tooMany`.
    public func add(
        _ new: NewObject, replacing: Bool, allowed: Int64?, arrival: ObjectArrival?,
        if isAllowed: () throws(DocumentError) -> Bool
    ) throws(DocumentError) -> StoredObject {
        try write(of: new.owner, addsJobs: replacing) { table in
            if new.owner == nil { try table.session.take([Self.lockOfNobody]) }
            // A retry after a lost response.
            if let object = try table.object("id", new.id.rawValue) { return object }
            guard try isAllowed() else { throw DocumentError.notAllowed }
            if let owner = new.owner { try Self.requireNotRemoved(owner, in: table) }
            var first: String?
            if let path = new.path {
                first = try makeWay(at: path, replacing: replacing, in: table)
                try table.requireFewFilesWithoutDocument(of: new.owner)
            }
            try table.requireRoom(for: new.byteCount, of: new.owner, allowed: allowed, besides: new.id)
            try table.end(arrival, of: new.id, with: nil)
            return try table.insert(new, isNamed: new.path == nil, replacing: first)
        }
    }

    /// The lock by which files without an owner wait for each other, as they share one limit.
    static let lockOfNobody = SQLLock.named(0x636D_7003, "")

    /// An object by its ID; `nil` if there is none.
    public func object(_ id: ObjectID) throws(DocumentError) -> StoredObject? {
        try read { table in try table.object("id", id.rawValue) }
    }

    /// The object at a path of the bucket; `nil` if there is none.
    public func object(at path: String) throws(DocumentError) -> StoredObject? {
        try read { table in try table.object("path", path) }
    }

    /// A page of objects, ordered by ID.
    ///
    /// - Parameter owner: whose objects; `nil` for all owners.
    public func objects(
        of owner: ID<Person>?, behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<StoredObject, StorePlace> {
        let ofOwner = owner == nil ? "" : "user_id = ? AND "
        let values = [owner?.text, place?.key ?? ""].compactMap { $0 }
        return try read { table in
            try table.objects("\(ofOwner)id > ? ORDER BY id", values, behind: place, limit: limit, key: 0)
        }
    }

    /// A page of the objects below a folder of the bucket, ordered by the bytes of their paths, without facts and
    /// client metadata.
    ///
    /// - Parameters:
    ///   - folder: ends with a slash; empty for all objects that have a path.
    ///   - place: its key is a path, whether or not an object has it.
    public func objects(
        below folder: String, behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<StoredObject, StorePlace> {
        // The end of the folder's paths: `0` follows `/`.
        let isBefore = folder.isEmpty ? "" : "path < ? AND "
        let end = folder.isEmpty ? [] : [String(folder.unicodeScalars.dropLast()) + "0"]
        return try read { table in
            try table.objects(
                "\(isBefore)path > ? ORDER BY path", end + [place?.key ?? folder], behind: place, limit: limit,
                columns: ObjectRow.listedColumns, key: ObjectRow.pathColumn)
        }
    }

    /// Whether an object has a row, readable or not.
    public func hasObject(_ id: ObjectID) throws(DocumentError) -> Bool {
        try read { table in try table.session.hasRow("SELECT 1 FROM objects WHERE id = ?", [id.rawValue]) }
    }

    /// The given IDs that neither an object nor an arriving file has; unreadable rows count, too.
    public func unknownObjects(among ids: [ObjectID]) throws(DocumentError) -> Set<ObjectID> {
        try read { table in
            let dialect = table.session.dialect
            let list = dialect.list(ids.map { "\"\($0)\"" })
            let known = try table.session.all(
                """
                SELECT id FROM objects WHERE \(dialect.isAmong("id", "text"))
                UNION ALL SELECT object_id FROM uploads
                    WHERE \(UploadRow.isUnfinished) AND \(dialect.isAmong("object_id", "text"))
                UNION ALL SELECT object_id FROM intakes WHERE \(dialect.isAmong("object_id", "text"))
                """, [list, list, list]
            ) { $0.object(0) }
            return Set(ids).subtracting(known)
        }
    }

    /// Gives an object another path, and the owner of that path.
    ///
    /// - Parameter allowed: the most bytes that the files of another owner may take including this one; `nil` for no
    ///   limit.
    /// - Throws: `notFound` if nothing is at the path; `referenced` if a version names it; `taken` if the new path has
    ///   another file; for another owner `overQuota`, `tooMany`, and `conflict` if the person was removed.
    public func moveObject(
        from path: String, to newPath: String, of owner: ID<Person>, allowed: Int64?
    ) throws(DocumentError) {
        try write(of: owner) { table in
            let moved = try table.session.first("SELECT user_id, byte_count FROM objects WHERE path = ?", [path]) {
                (owner: $0.text(0), byteCount: $0.integer(1) ?? 0)
            }
            guard let moved else { throw DocumentError.notFound(.file) }
            if moved.owner != owner.text {
                try Self.requireNotRemoved(owner, in: table)
                try table.requireFewFilesWithoutDocument(of: owner)
                try table.requireRoom(for: moved.byteCount, of: owner, allowed: allowed, besides: nil)
            }
            try makeWay(at: newPath, replacing: false, in: table)
            let count = try table.session.execute(
                "UPDATE objects SET path = ?, user_id = ? WHERE path = ? AND NOT is_named", [newPath, owner.text, path])
            if count == 0 { throw DocumentError.referenced }
        }
    }

    /// Removes an object, whatever names it. A version that named it stays without a file.
    ///
    /// Deletes the row, even an unreadable one, and adds the removal of the bytes.
    ///
    /// - Parameter path: where the object must still be; `nil` for anywhere.
    /// - Returns: whether there was one.
    @discardableResult
    public func removeObject(_ id: ObjectID, at path: String?) throws(DocumentError) -> Bool {
        let owner: ID<Person>? = try read { table in
            try table.session.first("SELECT user_id FROM objects WHERE id = ?", [id.rawValue]) { $0.id(0) }
        }
        return try write(of: owner, addsJobs: true) { table in
            let document = try table.document(withObject: id)
            let count =
                if let path {
                    try removeObjects(where: "id = ? AND path = ?", [id.rawValue, path], in: table)
                } else {
                    try removeObjects(where: "id = ?", [id.rawValue], in: table)
                }
            if count > 0, let document { try table.note(.changed, document) }
            return count > 0
        }
    }

    /// A page of the objects that no scanner has checked yet, ordered by ID.
    public func pendingObjects(
        behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<StoredObject, StorePlace> {
        try read { table in
            try table.objects(
                "verdict = 'pending' AND id > ? ORDER BY id", [place?.key ?? ""], behind: place, limit: limit, key: 0)
        }
    }

    /// Writes a scanner's verdict on an object. A version that names a passed object leaves quarantine and gets its
    /// pictures. A version of an infected object stays in quarantine for good, with a reason for people. Only a pending
    /// object changes.
    public func judge(
        _ id: ObjectID, _ verdict: StoredObject.Verdict, reason: String?
    ) throws(DocumentError) {
        guard let object = try object(id) else { return }
        try write(of: object.owner, addsJobs: true) { table in
            let count = try table.session.execute(
                "UPDATE objects SET verdict = ? WHERE id = ? AND verdict = 'pending'", [verdict.rawValue, id.rawValue])
            guard count > 0, var document = try table.document(withObject: id) else { return }
            switch verdict {
            case .pending: return
            case .passed:
                document.state = .stored
                try table.session.execute(
                    "UPDATE documents SET state = 'stored' WHERE id = ? AND state = 'quarantined'", [document.id.text])
                try table.note(.changed, document)
                try enqueuePictures(of: document, in: table)
            case .infected:
                try table.session.execute(
                    "UPDATE documents SET failure = ? WHERE id = ?", [reason, document.id.text])
                try table.note(.pictureFailed, document)
            }
        }
    }

    /// The bytes that a person's files take, including space reserved by uploads that have begun.
    ///
    /// Adds up sums and rows of this person alone; for files without an owner, it reads their index.
    ///
    /// - Parameter owner: `nil` for all files without an owner.
    public func usedByteCount(of owner: ID<Person>?) throws(DocumentError) -> Int64 {
        try read { table in try table.usedByteCount(of: owner) }
    }

    /// Frees a path for another file.
    ///
    /// - Returns: the first of the files that replaced each other there; `nil` if the path was free.
    /// - Throws: `taken`; `referenced`.
    @discardableResult
    private func makeWay(at path: String, replacing: Bool, in table: DocumentTable) throws -> String? {
        guard let former = try table.former(at: path) else { return nil }
        guard replacing else { throw DocumentError.taken }
        if former.isNamed { throw DocumentError.referenced }
        try removeObjects(where: "path = ?", [path], in: table)
        return former.first
    }

    /// Removes the rows of objects, readable or not, with the jobs for them. Their bytes become removals that are due
    /// at once. Only rows that this statement deletes count, whatever another transaction changes meanwhile.
    ///
    /// - Returns: how many there were.
    @discardableResult
    func removeObjects(
        where condition: String, _ values: [(any SQLConvertible)?], in table: DocumentTable
    ) throws -> Int {
        let removed = try table.session.all(
            "DELETE FROM objects WHERE \(condition) RETURNING id, user_id, digest", values
        ) { row in
            (id: row.text(0), owner: row.text(1), digest: row.text(2), object: row.object(0), content: row.digest(2))
        }
        for row in removed {
            try table.addRemoval(of: row.id, owner: row.owner, digest: row.digest)
            // The upload's row has the file's name.
            try table.session.execute("DELETE FROM uploads WHERE object_id = ?", [row.id])
            if let object = row.object { try forgetJobs(for: object, of: row.content, in: table) }
        }
        return removed.count
    }
}

/// Reads the columns of `objects`.
enum ObjectRow {
    static let columns =
        "id, user_id, path, digest, byte_count, media_type, facts, verdict, cache_control, metadata, stored_at"
    /// The same columns without facts and client metadata, which may have many bytes per row.
    static let listedColumns =
        "id, user_id, path, digest, byte_count, media_type, NULL, verdict, cache_control, NULL, stored_at"
    static let pathColumn = 2

    /// The object in a row of `columns`; `nil` if it is unreadable.
    static func object(_ row: any SQLRow) -> StoredObject? {
        guard let id = row.object(0), let digest = row.digest(3), let byteCount = row.integer(4),
            let mediaType = row.text(5), let verdict = row.text(7).flatMap(StoredObject.Verdict.init(rawValue:)),
            let stored = row.instant(10)
        else { return nil }
        let owner: ID<Person>? = row.id(1)
        if owner == nil, !row.isNull(1) { return nil }
        return StoredObject(
            id: id, owner: owner, path: row.text(2), digest: digest, byteCount: byteCount,
            mediaType: MediaType(rawValue: mediaType), facts: row.text(6).flatMap(FactsText.init(stored:)),
            verdict: verdict, notes: FileNotes(cacheControl: row.text(8), metadata: row.json(9)), stored: stored)
    }
}

extension DocumentTable {
    fileprivate func object(_ column: String, _ value: String) throws -> StoredObject? {
        let sql = "SELECT \(ObjectRow.columns) FROM objects WHERE \(column) = ?"
        return try session.first(sql, [value], object)
    }

    /// The object in a row; an unreadable one is reported.
    private func object(_ row: any SQLRow) -> StoredObject? {
        let object = ObjectRow.object(row)
        if object == nil { unreadable("object \(row.words)") }
        return object
    }

    fileprivate func objects(
        _ condition: String, _ values: [(any SQLConvertible)?], behind place: StorePlace?, limit: Int,
        columns: String = ObjectRow.columns, key: Int
    ) throws -> StorePage<StoredObject, StorePlace> {
        try page(
            "SELECT \(columns) FROM objects WHERE \(condition) LIMIT ?", values, behind: place, limit: limit,
            key: key, object)
    }

    /// Whether a version names the object at a path, and the first of the files that it has replaced; `nil` if there is
    /// none.
    fileprivate func former(at path: String) throws -> (isNamed: Bool, first: String?)? {
        let sql = "SELECT CASE WHEN is_named THEN 1 ELSE 0 END, coalesce(first_id, id) FROM objects WHERE path = ?"
        return try session.first(sql, [path]) { (isNamed: $0.integer(0) != 0, first: $0.text(1)) }
    }

    fileprivate func requireFewFilesWithoutDocument(of owner: ID<Person>?) throws {
        try requireFewer(
            than: PersonBounds.filesWithoutDocument, "files without a document",
            in: "SELECT 1 FROM objects WHERE user_id = ? AND NOT is_named", [owner?.text])
    }

    /// Stores an object's row.
    ///
    /// - Parameter first: the first of the files that it replaces.
    @discardableResult
    func insert(_ new: NewObject, isNamed: Bool, replacing first: String? = nil) throws -> StoredObject {
        try session.execute(
            """
            INSERT INTO objects (\(ObjectRow.columns), is_named, first_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                new.id.rawValue, new.owner?.text, new.path, new.digest.hex, new.byteCount, new.mediaType.rawValue,
                new.facts?.text, new.verdict.rawValue, new.notes.cacheControl, new.notes.metadata?.text,
                now.microseconds, isNamed, first,
            ])
        return StoredObject(
            id: new.id, owner: new.owner, path: new.path, digest: new.digest, byteCount: new.byteCount,
            mediaType: new.mediaType, facts: new.facts, verdict: new.verdict, notes: new.notes, stored: now)
    }

    /// The total of the files, which triggers maintain, plus that of arriving files; without an owner, the totals of
    /// all such files.
    ///
    /// - Parameter object: an arriving file that does not count.
    fileprivate func usedByteCount(of owner: ID<Person>?, besides object: ObjectID? = nil) throws -> Int64 {
        guard let owner else { return try nobody(besides: object).byteCount }
        let files = try session.integer("SELECT byte_count FROM document_owners WHERE user_id = ?", [owner.text])
        let arriving = try session.integer(
            """
            SELECT CAST(coalesce(sum(reserved), 0) AS BIGINT) FROM (
                SELECT reserved FROM uploads WHERE user_id = ?1 AND \(UploadRow.isOpen(at: "?2")) AND object_id <> ?3
                UNION ALL SELECT reserved FROM intakes WHERE user_id = ?1 AND object_id <> ?3) AS arriving
            """, [owner.text, now.microseconds, object?.rawValue ?? ""])
        return max(0, files ?? 0) + max(0, arriving ?? 0)
    }

    /// The number of all files without an owner, and their total size in bytes.
    private func nobody(besides object: ObjectID?) throws -> (count: Int64, byteCount: Int64) {
        let sql = """
            SELECT count(*), CAST(coalesce(sum(byte_count), 0) AS BIGINT) FROM (
                SELECT byte_count FROM objects WHERE user_id IS NULL
                UNION ALL SELECT reserved FROM intakes WHERE user_id IS NULL AND object_id <> ?) AS files
            """
        return try session.first(sql, [object?.rawValue ?? ""]) { row in
            (count: row.integer(0) ?? 0, byteCount: row.integer(1) ?? 0)
        } ?? (0, 0)
    }

    /// Throws `overQuota` unless a person may store so many more bytes, or `crowded` for a file without an owner.
    ///
    /// - Parameters:
    ///   - owner: whose file it is; `nil` for a file without an owner, of which there are at most
    ///     `PersonBounds.filesOfNobody`.
    ///   - allowed: the most bytes of the owner; `nil` for no limit.
    ///   - object: the arriving file whose space the bytes take over.
    func requireRoom(
        for byteCount: Int64, of owner: ID<Person>?, allowed: Int64?, besides object: ObjectID?
    ) throws {
        let used: Int64
        if owner == nil {
            let (count, byteCount) = try nobody(besides: object)
            if count >= PersonBounds.filesOfNobody { throw DocumentError.crowded }
            used = byteCount
        } else {
            used = allowed == nil ? 0 : try usedByteCount(of: owner, besides: object)
        }
        guard let allowed else { return }
        guard used + byteCount <= allowed else {
            throw DocumentError.noRoom(for: owner, used: used, allowed: allowed)
        }
    }
}
