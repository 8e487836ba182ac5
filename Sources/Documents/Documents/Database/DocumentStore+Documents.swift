internal import Database
internal import JobQueue
public import Media

/// Storing, reading, changing and removing documents.
extension DocumentStore {
    /// Stores a version and queues its pictures. It gets the line's next number, and becomes the current version unless
    /// `isCurrent` is `false`.
    ///
    /// It has the title of its line. If it names no description or school, it gets those that the line shows. A version
    /// that arrived by resumable upload ends that upload. The caller may retry after a lost response: the call returns
    /// the version that already names the object, unless the object had a row before.
    /// - Parameter isAllowed: whether the uploader may still do so. It runs inside the transaction: what it reads from
    ///   this database, by stores on this thread, stays unchanged until the version is stored.
    /// - Throws: `notAllowed`; `notFound` if predecessor, school, upload or a stored object is not the owner's;
    ///   `invalid` if the predecessor has another type; `taken` if another file has the path; `conflict` if another
    ///   version has the object or the upload has failed; `overQuota`.
    public func add(
        _ new: NewDocument, if isAllowed: () throws(DocumentError) -> Bool
    ) throws(DocumentError) -> Document {
        try write(of: new.owner, addsJobs: true) { table in
            // A retry after a lost response.
            if !new.isObjectStored, let object = new.file.object, let document = try table.document(withObject: object)
            {
                return document
            }
            guard try isAllowed() else { throw DocumentError.notAllowed }
            try Self.requireNotRemoved(new.owner, in: table)
            var document = try Self.version(new, in: table)
            try Self.requireFewRows(new, document.line, in: table)
            if new.isObjectStored {
                try Self.name(new, &document, in: table)
            } else {
                try table.requireRoom(
                    for: new.file.byteCount, of: new.owner, allowed: new.allowedByteCount, besides: new.file.object)
                try Self.insertObject(of: document, in: table)
            }
            let isShown = try new.isCurrent || !table.hasCurrentVersion(document.line)
            if isShown { try table.clearMarks(of: document.line) }
            try table.insert(document, isShown: isShown)
            if let object = new.file.object { try table.end(new.arrival, of: object, with: document.id) }
            try table.note(.stored, document)
            if document.state == .stored { try enqueuePictures(of: document, in: table) }
            return document
        }
    }

    /// - Throws: `conflict` for a person who was removed while this request was on its way.
    static func requireNotRemoved(_ owner: ID<Person>, in table: DocumentTable) throws {
        let isRemoved = try table.session.hasRow(
            "SELECT 1 FROM removed_persons WHERE user_id = ? AND removed_at >= ?",
            [owner.text, (table.now - removalMemory).microseconds])
        if isRemoved { throw DocumentError.conflict(message: "This account was deleted.") }
    }

    private static func requireFewRows(_ new: NewDocument, _ line: ID<Line>, in table: DocumentTable) throws {
        if new.predecessor != nil {
            return try table.requireFewer(
                than: PersonBounds.versionsOfDocument, "versions of a document",
                in: "SELECT 1 FROM documents WHERE line = ?", [line.text])
        }
        let count = try table.session.integer(
            """
            SELECT CAST(coalesce(sum(documents), 0) AS BIGINT) FROM document_counts
            WHERE user_id = ? AND documents BETWEEN 0 AND 1000000000
            """, [new.owner.text])
        if count ?? 0 >= PersonBounds.documents {
            throw DocumentError.tooMany("documents", most: PersonBounds.documents)
        }
    }

    /// Stores the object of a version whose bytes have no row yet.
    ///
    /// - Throws: `taken` if another file has the path.
    static func insertObject(of document: Document, in table: DocumentTable) throws {
        let file = document.file
        guard let id = file.object else { throw DocumentError.notFound(.file) }
        if try table.session.hasRow("SELECT 1 FROM objects WHERE path = ?", [file.path]) { throw DocumentError.taken }
        try table.insert(
            NewObject(
                id: id, owner: document.owner, path: file.path, digest: file.digest, byteCount: file.byteCount,
                mediaType: file.mediaType, facts: document.factsText,
                verdict: document.state == .quarantined ? .pending : .passed), isNamed: true)
    }

    /// Lets a version name an object that has a row and that no other version names. The object's verdict decides the
    /// version's state.
    private static func name(_ new: NewDocument, _ document: inout Document, in table: DocumentTable) throws {
        guard let id = new.file.object else { throw DocumentError.notFound(.file) }
        let count = try table.session.execute(
            "UPDATE objects SET is_named = TRUE WHERE id = ? AND user_id = ? AND path = ? AND NOT is_named",
            [id.rawValue, new.owner.text, new.file.path])
        guard count > 0, let verdict = try table.session.text("SELECT verdict FROM objects WHERE id = ?", [id.rawValue])
        else {
            let isNamed = try table.session.hasRow("SELECT 1 FROM objects WHERE id = ? AND is_named", [id.rawValue])
            throw isNamed
                ? DocumentError.conflict(message: "A document already has this file.") : .notFound(.file)
        }
        document.state = verdict == StoredObject.Verdict.passed.rawValue ? .stored : .quarantined
        if verdict == StoredObject.Verdict.infected.rawValue { document.failure = DocumentError.infected }
    }

    /// Queues the pictures of a version's file.
    func enqueuePictures(
        of document: Document, at priority: Priority = .upload, in table: DocumentTable
    ) throws {
        guard let object = document.file.object else { return }
        let request = JobRequest(
            source: .object(object.rawValue), digest: document.file.digest, recipes: recipes, priority: priority,
            party: document.owner.text)
        try table.session.execute(
            "INSERT INTO picture_jobs SELECT id, source FROM queue_job WHERE id = ? ON CONFLICT DO NOTHING",
            [try table.enqueue(request).id.rawValue])
    }

    /// The version that a new document becomes.
    private static func version(_ new: NewDocument, in table: DocumentTable) throws -> Document {
        try table.requireSchool(new.school, of: new.owner)
        let predecessor = try new.predecessor.map { try table.document($0, of: new.owner) }
        if let predecessor, predecessor.type != new.type {
            throw DocumentError.invalid(
                field: "type",
                message: "A new version must be of the same type as the document: \(predecessor.type.label).")
        }
        let shown = try predecessor.flatMap { try table.shownVersion(of: $0.line) } ?? predecessor
        let highest = try predecessor.flatMap { try table.highestVersion(of: $0.line) } ?? 0
        return Document(
            id: .make(at: table.now), line: predecessor?.line ?? .make(at: table.now), owner: new.owner,
            type: new.type, title: predecessor?.title ?? new.title,
            description: new.description ?? shown?.description, version: highest + 1, isCurrent: new.isCurrent,
            school: new.school ?? shown?.school, file: new.file, facts: new.facts.map(FactsText.init),
            placeholder: nil, state: new.state, failure: nil, uploader: new.uploader, created: table.now,
            updated: table.now,
            shares: predecessor?.shares ?? [])
    }

    /// A version by its ID.
    public func document(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document {
        try read { table in try table.document(id, of: owner) }
    }

    /// The version that names an object; `nil` if there is none.
    public func document(withObject object: ObjectID) throws(DocumentError) -> Document? {
        try read { table in try table.document(withObject: object) }
    }

    /// A person's newest document with this type and exact title, at the version that its line shows.
    public func document(
        ofType type: DocumentType, titled title: String, of owner: ID<Person>
    ) throws(DocumentError) -> Document? {
        try read { table in
            try table.documents(
                """
                \(table.session.dialect.indexed(by: "document_titles")) WHERE user_id = ? AND title_key = ? AND type = ? AND title = ? AND shown
                ORDER BY created_at DESC, id DESC LIMIT 1
                """, [owner.text, title.folded, type.rawValue, title]
            ).first
        }
    }

    /// A page of all versions of all lines, ordered by ID.
    ///
    /// - Parameters:
    ///   - owner: `nil` for all owners.
    ///   - limit: the most rows to read.
    public func allVersions(
        of owner: ID<Person>?, behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<Document, StorePlace> {
        let ofOwner = owner == nil ? "" : "user_id = ? AND "
        let values = [owner?.text, place?.key ?? ""].compactMap { $0 }
        return try read { table in
            try table.documentPage(
                "WHERE \(ofOwner)id > ? ORDER BY id LIMIT ?", values, behind: place, limit: limit,
                key: DocumentRow.idColumn)
        }
    }

    /// All versions of a version's line, highest number first.
    public func versions(of id: ID<Document>, owner: ID<Person>) throws(DocumentError) -> [Document] {
        try read { table in try table.versions(of: try table.document(id, of: owner).line) }
    }

    /// Changes texts and school. A title applies to all versions of the line.
    ///
    /// Writes the texts with their search keys.
    public func change(
        _ id: ID<Document>, of owner: ID<Person>, to change: DocumentChange
    ) throws(DocumentError) -> Document {
        try write(of: owner) { table in
            var document = try table.document(id, of: owner)
            if let school = change.school {
                try table.requireSchool(school, of: owner)
                document.school = school
            }
            if let description = change.description { document.description = description }
            if let title = change.title, title != document.title {
                document.title = title
                for version in try table.versions(of: document.line) where version.id != id {
                    try Self.writeTexts(title, version.description, of: version.id, in: table)
                }
            }
            document.updated = table.now
            try Self.writeTexts(document.title, document.description, of: id, in: table)
            try table.session.execute(
                "UPDATE documents SET school_id = ? WHERE id = ?", [document.school?.text, id.text])
            try table.note(.changed, document)
            return document
        }
    }

    private static func writeTexts(
        _ title: String, _ description: String?, of id: ID<Document>, in table: DocumentTable
    ) throws {
        try table.session.execute(
            """
            UPDATE documents SET title = ?, title_key = ?, description = ?, search = ?, updated_at = ? WHERE id = ?
            """,
            [
                title, title.folded, description, DocumentRow.searchText(title: title, description: description),
                table.now.microseconds, id.text,
            ])
    }

    /// Unmarks the current version: its line then has none, and lists show its highest version.
    public func clearCurrent(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document {
        try write(of: owner) { table in
            let document = try table.document(id, of: owner)
            if !document.isCurrent { return document }
            try table.clearMarks(of: document.line)
            try table.showHighest(of: document.line)
            try table.session.execute(
                "UPDATE documents SET updated_at = ? WHERE id = ?", [table.now.microseconds, id.text])
            try table.note(.changed, document)
            return try table.document(id, of: owner)
        }
    }

    /// Makes a version the current one of its line.
    public func restore(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document {
        try write(of: owner) { table in
            let document = try table.document(id, of: owner)
            if document.isCurrent { return document }
            try table.makeCurrent(document)
            try table.note(.changed, document)
            return try table.document(id, of: owner)
        }
    }

    /// Removes a version's whole line with its files.
    ///
    /// Removes the rows of all versions, even unreadable ones, with their objects, and the line's shares.
    ///
    /// - Returns: the removed versions.
    @discardableResult
    public func removeLine(of id: ID<Document>, owner: ID<Person>) throws(DocumentError) -> [Document] {
        try write(of: owner, addsJobs: true) { table in
            let line = try table.document(id, of: owner).line
            let versions = try table.versions(of: line)
            for version in versions { try table.note(.deleted, version) }
            try removeObjects(
                where: "id IN (SELECT object_id FROM documents WHERE line = ?)", [line.text], in: table)
            try table.session.execute("DELETE FROM documents WHERE line = ?", [line.text])
            try table.session.execute("DELETE FROM document_shares WHERE line = ?", [line.text])
            return versions
        }
    }

    /// Removes one version alone, with its file. If its line showed it, the line now shows the highest remaining
    /// version.
    @discardableResult
    public func removeVersion(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document {
        try write(of: owner, addsJobs: true) { table in
            let document = try table.document(id, of: owner)
            try remove(document, in: table)
            return document
        }
    }

    /// Removes a version's row and its object in a transaction.
    func remove(_ document: Document, in table: DocumentTable) throws {
        try table.note(.deleted, document)
        if let object = document.file.object { try removeObjects(where: "id = ?", [object.rawValue], in: table) }
        try table.session.execute("DELETE FROM documents WHERE id = ?", [document.id.text])
        try table.showHighest(of: document.line)
        try table.session.execute(
            """
            DELETE FROM document_shares WHERE line = ?1 AND NOT EXISTS (SELECT 1 FROM documents WHERE line = ?1)
            """, [document.line.text])
    }

    /// Deletes the jobs for a removed object that no worker is running; running jobs end on their own. If a job was
    /// still waiting, another version with the same content gets a job for its own object.
    func forgetJobs(for object: ObjectID, of digest: Digest?, in table: DocumentTable) throws {
        let wasWaiting = try table.forgetJobs(for: object)
        let index = table.session.dialect.indexed(by: "document_waiting")
        let others = try table.documents(
            "\(index) WHERE digest = ? AND state = 'stored' AND object_id IS NOT NULL LIMIT 1", [digest?.hex])
        if let other = others.first {
            if wasWaiting { try enqueuePictures(of: other, in: table) }
        } else {
            try table.session.execute("DELETE FROM ended_pictures WHERE object_id = ?", [object.rawValue])
        }
    }
}

extension DocumentTable {
    /// The version that lists show of a line; `nil` if it is unreadable.
    fileprivate func shownVersion(of line: ID<Line>) throws -> Document? {
        try documents("WHERE line = ? AND shown", [line.text]).first
    }

    func highestVersion(of line: ID<Line>) throws -> Int? {
        let isNumber = if case .sqlite = session.dialect { "AND typeof(version) = 'integer'" } else { "" }
        return try session.integer("SELECT max(version) FROM documents WHERE line = ? \(isNumber)", [line.text]).map(
            Int.init)
    }

    func document(withObject object: ObjectID) throws -> Document? {
        try documents("WHERE object_id = ?", [object.rawValue]).first
    }

    /// Deletes the jobs for an object that no worker is running.
    ///
    /// - Returns: whether one of them, for the pictures of stored versions, was still waiting.
    fileprivate func forgetJobs(for object: ObjectID) throws -> Bool {
        // A client that waits for one of these asks again.
        let ordered = "SELECT job FROM ordered_pictures WHERE object_id = ?"
        for job in try session.all(ordered, [object.rawValue], { $0.integer(0) }) {
            _ = try QueueTables.forget(JobID(rawValue: job), in: session)
        }
        let jobs = try session.all("SELECT job FROM picture_jobs WHERE object_id = ?", [object.rawValue]) {
            $0.integer(0)
        }
        return try jobs.reduce(false) { wasWaiting, job in
            try QueueTables.forget(JobID(rawValue: job), in: session) || wasWaiting
        }
    }
}
