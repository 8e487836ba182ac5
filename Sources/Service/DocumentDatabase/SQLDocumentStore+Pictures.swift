public import Documents
internal import JobQueue
public import Media
internal import SQL

/// Picture jobs, their ends, and the quarantine before them.
extension SQLDocumentStore {
    /// Reads the rows that a trigger on the queue has written.
    public func endedPictures(
        behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<EndedPictures, StorePlace> {
        try read { table in
            let found = try table.session.all(
                "SELECT job, path, is_done, failure FROM ended_pictures WHERE job > ? ORDER BY job LIMIT ?",
                [place.flatMap { Int64($0.key) } ?? .min, limit]
            ) { row in
                let failure = row.json(3)
                return EndedPictures(
                    job: row.integer(0) ?? 0, path: row.text(1) ?? "", isDone: row.integer(2) == 1,
                    failure: failure?["message"]?.string, isSourceMissing: failure?["code"]?.string == "sourceMissing")
            }
            // Every row can be read: its key is a number.
            return StorePage(found, next: found.count < limit ? nil : found.last.map { StorePlace("\($0.job)") })
        }
    }

    /// Writes the outcome to the versions with the job's content. A job whose file was removed under it settles its own version
    /// alone: others with the content get a job with their own file.
    public func settle(_ ended: EndedPictures, _ outcome: PictureOutcome) throws(DocumentError) {
        try write(of: nil, addsJobs: true) { table in
            let sql = "DELETE FROM ended_pictures WHERE job = ? AND is_done = ? RETURNING digest"
            let deleted: String?? = try table.session.first(sql, [ended.job, ended.isDone]) { .some($0.text(0)) }
            guard let digest = deleted else { return }
            let withContent = """
                WHERE state <> 'quarantined'
                    AND digest = coalesce(CAST(? AS text), (SELECT digest FROM documents WHERE object_path = ?))
                """
            // Their owners' events follow the order of their numbers.
            let owners = Set(try table.documents(withContent, [digest, ended.path]).map(\.owner))
            for owner in owners.sorted(by: { $0.text < $1.text }) { try table.session.take([Self.lock(of: owner)]) }
            let documents = try table.documents(withContent, [digest, ended.path])
            for document in documents {
                if ended.isSourceMissing, !document.file.path.utf8.elementsEqual(ended.path.utf8) {
                    try enqueuePictures(of: document, in: table)
                } else {
                    try Self.write(outcome, to: document, in: table)
                }
            }
            // The job of a file that was removed meanwhile would keep its name in the queue.
            if try !table.hasVersion(withFile: ended.path) {
                _ = try QueueTables.forget(JobID(rawValue: ended.job), in: table.session)
            }
        }
    }

    private static func write(_ outcome: PictureOutcome, to document: Document, in table: DocumentTable) throws {
        switch outcome {
        case .ready(let facts, let placeholder):
            try table.session.execute(
                """
                UPDATE documents SET state = 'ready', failure = NULL, facts = coalesce(CAST(? AS text), facts),
                    placeholder = coalesce(CAST(? AS text), placeholder) WHERE id = ?
                """, [facts?.json.text, placeholder, document.id.text])
            try table.note(.pictureReady, document)
        case .failed(let message):
            try table.session.execute(
                "UPDATE documents SET state = 'failed', failure = ? WHERE id = ?", [message, document.id.text])
            try table.note(.pictureFailed, document)
        }
    }

    /// Adds job and note of it in one transaction, which holds the version's row: a removal knows of the job, or there is none.
    public func order(
        _ recipe: Recipe, of document: Document, _ urgency: PictureUrgency
    ) throws(DocumentError) -> Int64 {
        try write(of: nil, addsJobs: true) { table in
            // SQLite has one transaction of changes at a time.
            let hold = if case .postgreSQL = table.session.dialect { "FOR KEY SHARE" } else { "" }
            guard try table.session.hasRow("SELECT 1 FROM documents WHERE id = ? \(hold)", [document.id.text]) else {
                throw DocumentError.notFound(.document)
            }
            let request = JobRequest(
                source: .object(document.file.path), digest: document.file.digest, recipes: [recipe],
                priority: urgency.priority)
            let job = try table.enqueue(request).id.rawValue
            try table.session.execute(
                "INSERT INTO ordered_pictures SELECT id, source FROM queue_job WHERE id = ? ON CONFLICT DO NOTHING",
                [job])
            return job
        }
    }

    /// Seeks in the index of digests.
    public func isUsed(_ digest: Digest) throws(DocumentError) -> Bool {
        try read { table in
            try table.session.hasRow("SELECT 1 FROM documents WHERE digest = ? LIMIT 1", [digest.hex])
        }
    }

    /// Reads by the index of versions in quarantine.
    public func quarantined(
        behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<Document, StorePlace> {
        try read { table in
            let index = table.session.dialect.indexed(by: "document_quarantine")
            return try table.documentPage(
                "\(index) WHERE state = 'quarantined' AND id > ? ORDER BY id LIMIT ?", [place?.key ?? ""],
                behind: place, limit: limit, key: DocumentRow.idColumn)
        }
    }

    /// Writes the state with an event, and queues the pictures.
    @discardableResult
    public func release(_ id: ID<Document>, of owner: ID<Person>) throws(DocumentError) -> Document {
        try write(of: owner, addsJobs: true) { table in
            var document = try table.document(id, of: owner)
            if document.state != .quarantined { return document }
            document.state = .stored
            try table.session.execute("UPDATE documents SET state = 'stored' WHERE id = ?", [id.text])
            try table.note(.changed, document)
            try enqueuePictures(of: document, in: table)
            return document
        }
    }

    /// Writes the reason with an event; the state stays.
    public func condemn(_ id: ID<Document>, of owner: ID<Person>, reason: String) throws(DocumentError) {
        try write(of: owner) { table in
            let document = try table.document(id, of: owner)
            try table.session.execute("UPDATE documents SET failure = ? WHERE id = ?", [reason, id.text])
            try table.note(.pictureFailed, document)
        }
    }
}

extension DocumentTable {
    func hasVersion(withFile path: String) throws -> Bool {
        try session.hasRow("SELECT 1 FROM documents WHERE object_path = ?", [path])
    }
}

extension PictureUrgency {
    /// The priority in the queue. Visitors wait beside uploads: how many of their pictures wait at once has a bound.
    fileprivate var priority: Priority {
        switch self {
        case .awaited: .interactive
        case .visited: .upload
        case .ahead: .backfill
        }
    }
}
