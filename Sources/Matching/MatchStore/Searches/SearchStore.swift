public import Database
internal import JobQueue
internal import Matching
public import Media

/// Searches by résumés in the service's database, beside the queue: an SQLite file, or a PostgreSQL server for several
/// hosts. Safe for several threads and processes.
public final class SearchStore: Sendable {
    private let database: any SQLDatabase
    /// The maximum number of searches per person.
    private static let mostOfPerson = 1000

    /// Creates the tables of searches if there are none, and brings them to this program's version. The queue's tables
    /// must exist.
    ///
    /// - Throws: `unavailable`, also for a database from a newer program.
    public init(_ database: any SQLDatabase) throws(SearchError) {
        self.database = database
        do { try database.install(SearchSchema.schema) } catch { throw Self.converted(error) }
    }

    static func converted(_ error: any Error) -> SearchError {
        if case ChangePermit.Refusal.ended = error { return .notAllowed }
        return error as? SearchError ?? .unavailable(detail: "\(error)")
    }

    func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws(SearchError) -> Answer {
        do { return try database.read(body) } catch { throw Self.converted(error) }
    }

    /// Changes single rows; their conditions limit what may change.
    ///
    /// - Parameter addsJobs: whether workers are woken after the commit.
    @discardableResult
    func write<Answer>(
        addsJobs: Bool = false, _ body: (any SQLSession) throws -> Answer
    ) throws(SearchError) -> Answer {
        do {
            let permit = database.isInWriteTransaction ? nil : ChangePermit.current
            return try database.write(sending: addsJobs ? [.jobs] : []) { session in
                try permit?.require()
                return try body(session)
            }
        } catch {
            throw Self.converted(error)
        }
    }

    /// Queues the job of a search inside the transaction.
    ///
    /// - Parameters:
    ///   - object: the file, by which the worker finds the search.
    ///   - owner: who searches.
    ///   - network: the network of a person who has not signed in; such persons take turns by network.
    /// - Returns: the job's number.
    private func enqueue(
        _ object: ObjectID, of owner: ID<Person>?, from network: String? = nil, in session: any SQLSession
    ) throws -> Int64 {
        // Equal files of two persons are two jobs: the digest is omitted. A person waits for the matches, and must not
        // wait behind another person's uploads; how many searches a person begins is limited.
        let request = JobRequest(
            kind: .resume, source: .object(object.rawValue), recipes: [], priority: .interactive,
            party: owner?.text ?? network ?? "nobody")
        let now = QueueInstant(milliseconds: database.microseconds / 1000)
        return try QueueTables.enqueue([request], in: session, at: now)[0].id.rawValue
    }

    // MARK: A search and its sessions

    /// Adds a search for a file that is stored, with its job.
    ///
    /// - Parameters:
    ///   - viewToken: a text that nobody can guess.
    ///   - object: the file of this search alone; it does not reveal the search's identity.
    ///   - network: as for the job.
    public func add(
        _ id: ID<ResumeSearch>, viewToken: String, owner: ID<Person>?, object: ObjectID, fileName: String,
        network: String? = nil, at now: Instant
    ) throws(SearchError) -> ResumeSearch {
        try write(addsJobs: true) { session in
            if let owner {
                let count = try session.integer("SELECT count(*) FROM resume_searches WHERE user_id = ?", [owner.text])
                if count ?? 0 >= Self.mostOfPerson { throw SearchError.tooMany(most: Self.mostOfPerson) }
            }
            let job = try enqueue(object, of: owner, from: network, in: session)
            try session.execute(
                """
                INSERT INTO resume_searches (id, session_id, view_token, user_id, object_id, file_name, created_at, state,
                    step, is_corrected, job, total, direct, local)
                VALUES (?, ?, ?, ?, ?, ?, ?, 'processing', 'stored', FALSE, ?, 0, 0, 0)
                """,
                [
                    id.text, ID<SearchSession>.make(at: now).text, viewToken, owner?.text, object.rawValue, fileName,
                    now.microseconds, job,
                ])
            return try Self.search(where: "id", is: id.text, session)
        }
    }

    /// Begins another session with a corrected profile, and deletes the matches of the previous one. A failed session
    /// accepts a profile even if none was read.
    ///
    /// - Throws: `notFound`; `noProfile` if no profile was read yet.
    public func correct(_ id: ID<ResumeSearch>, profile: String, at now: Instant) throws(SearchError) -> ResumeSearch {
        try write(addsJobs: true) { session in
            let former = try Self.search(where: "id", is: id.text, session)
            let changed = try session.execute(
                """
                UPDATE resume_searches SET session_id = ?, state = 'processing', step = 'read', message = NULL, total = 0, direct = 0,
                    local = 0, is_corrected = TRUE, profile = ?, pages = coalesce(pages, '[]')
                WHERE id = ? AND session_id = ? AND (profile IS NOT NULL OR state = 'failed')
                """, [ID<SearchSession>.make(at: now).text, profile, id.text, former.session.text])
            guard changed == 1 else { throw SearchError.noProfile }
            try Self.removeMatches(of: former, session)
            try queueAgain(former, session)
            return try Self.search(where: "id", is: id.text, session)
        }
    }

    /// Queues a job again for a session that is open although its job is over.
    public func resume(_ search: ResumeSearch) throws(SearchError) {
        try write(addsJobs: true) { session in
            let sql = "SELECT 1 FROM resume_searches WHERE session_id = ? AND state = 'processing'"
            guard try session.hasRow(sql, [search.session.text]) else { return }
            try queueAgain(search, session)
        }
    }

    private func queueAgain(_ search: ResumeSearch, _ session: any SQLSession) throws {
        let job = try enqueue(search.object, of: search.owner, in: session)
        try session.execute("UPDATE resume_searches SET job = ? WHERE id = ?", [job, search.id.text])
    }

    /// Stores what a session has read.
    ///
    /// - Returns: `false` if the session is over, or another one has begun.
    public func keep(
        _ reading: StoredReading, title: String?, of search: ResumeSearch
    ) throws(SearchError) -> Bool {
        try write { session in
            try session.execute(
                """
                UPDATE resume_searches SET pages = ?, profile = ?, title = ?, step = 'profiled'
                WHERE session_id = ? AND state = 'processing'
                """, [Self.text(reading.pages), reading.profile, title, search.session.text]) == 1
        }
    }

    /// Records the last completed step of a session.
    public func note(_ step: ResumeSearch.Step, of search: ResumeSearch) throws(SearchError) {
        try write { session in
            try session.execute(
                "UPDATE resume_searches SET step = ? WHERE session_id = ? AND state = 'processing'",
                [step.rawValue, search.session.text])
        }
    }

    /// Ends a session with its matches, the best first.
    ///
    /// - Returns: `false` if the session is over, or another one has begun; nothing is stored then.
    public func complete(
        _ search: ResumeSearch, title: String?, _ matches: [SearchMatch]
    ) throws(SearchError) -> Bool {
        let counts = ResumeSearch.Counts(matches)
        return try write { session in
            let changed = try session.execute(
                """
                UPDATE resume_searches SET state = 'completed', step = 'searched', title = ?, total = ?, direct = ?, local = ?
                WHERE session_id = ? AND state = 'processing'
                """, [title, counts.total, counts.direct, counts.local, search.session.text])
            guard changed == 1 else { return false }
            for (position, match) in matches.enumerated() {
                try session.executeLater(
                    """
                    INSERT INTO search_matches (session_id, position, id, posting_id, title, company, location, is_remote, posted, url,
                        query, is_direct, is_local, parts, text)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        search.session.text, position, match.id.text, match.posting, match.title, match.company,
                        match.location, match.isRemote, match.posted?.number, match.url, match.query, match.isDirect,
                        match.isLocal, match.parts, match.text,
                    ])
            }
            return true
        }
    }

    /// Ends a session as failed, with the reason.
    ///
    /// - Parameters:
    ///   - message: for people.
    ///   - reading: what was read nevertheless, for the person to complete.
    /// - Returns: `false` if the session is over, or another one has begun.
    @discardableResult
    public func fail(
        _ search: ResumeSearch, message: String, keeping reading: StoredReading? = nil
    ) throws(SearchError) -> Bool {
        try write { session in
            try session.execute(
                """
                UPDATE resume_searches SET state = 'failed', message = ?, pages = coalesce(?, pages), profile = coalesce(?, profile)
                WHERE session_id = ? AND state = 'processing'
                """, [message, reading.map { Self.text($0.pages) }, reading?.profile, search.session.text]) == 1
        }
    }

    // MARK: The end

    /// Deletes a search with its matches and its waiting job, but not its file.
    ///
    /// - Throws: `notFound`.
    public func remove(_ id: ID<ResumeSearch>) throws(SearchError) -> ResumeSearch {
        try write { session in
            let search = try Self.search(where: "id", is: id.text, session)
            try session.execute("DELETE FROM resume_searches WHERE id = ?", [id.text])
            try Self.removeMatches(of: search, session)
            if let job = search.job { _ = try QueueTables.forget(JobID(rawValue: job), in: session) }
            return search
        }
    }

    private static func removeMatches(of search: ResumeSearch, _ session: any SQLSession) throws {
        try session.execute("DELETE FROM search_matches WHERE session_id = ?", [search.session.text])
    }

    private static func text(_ pages: [String]) -> String { JSON.array(pages.map(JSON.string)).text }
}
