internal import Database
internal import JobQueue
public import Media

/// Picture jobs, how they end, and the quarantine before them.
extension DocumentStore {
    /// A page of the contents whose picture jobs have ended and are not settled yet, ordered by job number.
    public func endedPictures(
        behind place: StorePlace?, limit: Int
    ) throws(DocumentError) -> StorePage<EndedPictures, StorePlace> {
        try read { table in
            let found = try table.session.all(
                "SELECT job, object_id, is_done, failure FROM ended_pictures WHERE job > ? ORDER BY job LIMIT ?",
                [place.flatMap { Int64($0.key) } ?? .min, limit]
            ) { row in
                let failure = row.json(3)
                guard let object = row.object(1) else { return EndedPictures?.none }
                return EndedPictures(
                    job: row.integer(0) ?? 0, object: object, isDone: row.integer(2) == 1,
                    failure: failure?["message"]?.string, isSourceMissing: failure?["code"]?.string == "sourceMissing")
            }
            return StorePage(found, next: found.count < limit ? nil : found.last.map { StorePlace("\($0.job)") })
        }
    }

    /// Writes the outcome of a content's pictures to all versions with that content, with an event each. If another
    /// caller has already settled this end, nothing changes.
    ///
    /// If a job's file was removed while the job ran, the outcome goes to the job's own version alone: other versions
    /// with the content get a job with their own file.
    public func settle(_ ended: EndedPictures, _ outcome: PictureOutcome) throws(DocumentError) {
        try write(of: nil, addsJobs: true) { table in
            let sql = "DELETE FROM ended_pictures WHERE job = ? AND is_done = ? RETURNING digest"
            let deleted: String?? = try table.session.first(sql, [ended.job, ended.isDone]) { .some($0.text(0)) }
            guard let digest = deleted else { return }
            let withContent = """
                WHERE state <> 'quarantined'
                    AND digest = coalesce(CAST(? AS text), (SELECT digest FROM documents WHERE object_id = ?))
                """
            // The locks keep the owners' events in the order of their numbers.
            let owners = Set(try table.documents(withContent, [digest, ended.object.rawValue]).map(\.owner))
            for owner in owners.sorted(by: { $0.text < $1.text }) { try table.session.take([Self.lock(of: owner)]) }
            let documents = try table.documents(withContent, [digest, ended.object.rawValue])
            for document in documents {
                if ended.isSourceMissing, let object = document.file.object, object != ended.object {
                    try enqueuePictures(of: document, in: table)
                } else {
                    try Self.write(outcome, to: document, in: table)
                }
            }
            // The job of an object that was removed meanwhile would otherwise stay in the queue.
            if try !table.session.hasRow("SELECT 1 FROM objects WHERE id = ?", [ended.object.rawValue]) {
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

    /// Queues one picture of an object, besides those that each version gets. The job is removed with the object.
    ///
    /// Adds the job and its record in one transaction, which locks the object's row: a removal sees the job, or there
    /// is none.
    ///
    /// - Parameter urgency: an equal waiting job is raised to it.
    /// - Returns: the job's number in the queue, or that of an equal unfinished job. `nil`, and no job, if the picture
    ///   is awaited and the owner has `PersonBounds.awaitedPictures` unfinished ones.
    /// - Throws: `notFound` for an object that was removed.
    public func order(
        _ recipe: Recipe, of object: ObjectID, _ urgency: PictureUrgency
    ) throws(DocumentError) -> Int64? {
        try write(of: nil, addsJobs: true) { table in
            // SQLite runs one write transaction at a time.
            let hold = if case .postgreSQL = table.session.dialect { "FOR KEY SHARE" } else { "" }
            let found = try table.session.first(
                "SELECT digest, user_id FROM objects WHERE id = ? \(hold)", [object.rawValue]
            ) { row in row.digest(0).map { (digest: $0, owner: row.text(1)) } }
            guard let found else { throw DocumentError.notFound(.file) }
            let request = JobRequest(
                source: .object(object.rawValue), digest: found.digest, recipes: [recipe], priority: urgency.priority,
                party: found.owner)
            let queued =
                urgency == .awaited
                ? try table.enqueue(request, upTo: PersonBounds.awaitedPictures) : try table.enqueue(request)
            guard let job = queued?.id.rawValue else { return nil }
            try table.session.execute(
                "INSERT INTO ordered_pictures SELECT id, source FROM queue_job WHERE id = ? ON CONFLICT DO NOTHING",
                [job])
            return job
        }
    }

    /// Whether any object has this content.
    public func isUsed(_ digest: Digest) throws(DocumentError) -> Bool {
        try read { table in
            try table.session.hasRow("SELECT 1 FROM objects WHERE digest = ? LIMIT 1", [digest.hex])
        }
    }
}

extension PictureUrgency {
    /// The priority in the queue. Visitors wait beside uploads: the number of their waiting pictures is limited.
    fileprivate var priority: Priority {
        switch self {
        case .awaited: .interactive
        case .visited: .upload
        case .ahead: .backfill
        }
    }
}
