public import Database
internal import Hashing
public import Matching
public import Media

/// Postings in the service's database: an SQLite file, or a PostgreSQL server for several hosts. Safe for several
/// threads and processes.
public final class PostingStore: Sendable {
    private let database: any SQLDatabase

    /// Creates the tables of postings if there are none, and brings them to this program's version.
    ///
    /// - Throws: `unavailable`, also for a database from a newer program.
    public init(_ database: any SQLDatabase) throws(PostingError) {
        self.database = database
        do { try database.install(PostingSchema.schema) } catch { throw Self.converted(error) }
    }

    /// Imports wait for each other on this lock.
    private static let lock = SQLLock.exclusive(0x636D_7005)

    private static func converted(_ error: any Error) -> PostingError {
        error as? PostingError ?? .unavailable(detail: "\(error)")
    }

    func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws(PostingError) -> Answer {
        do { return try database.read(body) } catch { throw Self.converted(error) }
    }

    func write<Answer>(_ body: (any SQLSession) throws -> Answer) throws(PostingError) -> Answer {
        do { return try database.write([Self.lock]) { try body($0) } } catch { throw Self.converted(error) }
    }

    // MARK: Import

    /// Imports postings in one transaction: new ones are added, changed ones replaced.
    ///
    /// - Parameter postings: no two with the same key; batches of some hundred are fastest.
    public func store(_ postings: [Posting], at now: Instant) throws(PostingError) -> ImportCount {
        try write { session in
            var count = ImportCount()
            let known = try Self.digests(of: postings, in: session)
            for posting in postings {
                let digest = Self.digest(of: posting)
                switch known[posting.key] {
                case digest?: count.unchanged += 1
                case .some:
                    try Self.update(posting, digest, at: now, in: session)
                    count.changed += 1
                case nil:
                    try Self.insert(posting, digest, at: now, in: session)
                    count.added += 1
                }
            }
            return count
        }
    }

    private static func digests(
        of postings: [Posting], in session: any SQLSession
    ) throws -> [Posting.Key: String] {
        var known: [Posting.Key: String] = [:]
        for (source, group) in Dictionary(grouping: postings, by: \.source) {
            let ids = JSON.array(group.map { .string($0.sourceID) }).text
            let sql =
                switch session.dialect {
                case .sqlite:
                    "SELECT source_id, digest FROM postings WHERE source = ? AND source_id IN (SELECT value FROM json_each(?))"
                case .postgreSQL:
                    """
                    SELECT source_id, digest FROM postings WHERE source = ?
                        AND source_id = ANY (ARRAY(SELECT json_array_elements_text(CAST(? AS json))))
                    """
                }
            try session.forEachRow(sql, [source, ids]) { row in
                if let id = row.text(0), let digest = row.text(1) {
                    known[Posting.Key(source: source, id: id)] = digest
                }
            }
        }
        return known
    }

    /// Covers everything that the source says, with lengths before the texts.
    private static func digest(of posting: Posting) -> String {
        var hasher = SHA256()
        func add(_ text: String?) {
            var bytes = Array("\(text.map { $0.utf8.count } ?? -1) ".utf8)
            bytes += (text ?? "").utf8
            bytes.withUnsafeBytes { hasher.update($0) }
        }
        for text in [posting.title, posting.company, posting.location, posting.url, posting.text, posting.salary] {
            add(text)
        }
        for day in [posting.posted, posting.expires] { add(day?.text) }
        add(posting.isRemote ? "remote" : "")
        return hasher.digest().hex
    }

    /// The columns other than the key, in the order of `insert` and `update`.
    private static func values(
        _ posting: Posting, _ digest: String, at now: Instant
    ) -> [(any SQLConvertible)?] {
        [
            posting.title, posting.company, posting.location, posting.isRemote, posting.posted?.number,
            posting.expires?.number, posting.url, posting.text, posting.salary, digest, words(posting.title),
            words(posting.text), now.microseconds,
        ]
    }

    private static func words(_ text: String) -> String {
        Set(ScannedWord.all(of: text).map(\.key)).sorted().map(IndexWord.encoded).joined(separator: " ")
    }

    private static func insert(
        _ posting: Posting, _ digest: String, at now: Instant, in session: any SQLSession
    ) throws {
        try session.executeLater(
            """
            INSERT INTO postings (title, company, location, is_remote, posted, expires, url, text, salary, digest, title_words,
                text_words, updated_at, id, source, source_id, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            values(posting, digest, at: now) + [
                ID<StoredPosting>.make(at: now).text, posting.source, posting.sourceID, now.microseconds,
            ])
    }

    private static func update(
        _ posting: Posting, _ digest: String, at now: Instant, in session: any SQLSession
    ) throws {
        try session.executeLater(
            """
            UPDATE postings SET title = ?, company = ?, location = ?, is_remote = ?, posted = ?, expires = ?, url = ?, text = ?,
                salary = ?, digest = ?, title_words = ?, text_words = ?, updated_at = ? WHERE source = ? AND source_id = ?
            """, values(posting, digest, at: now) + [posting.source, posting.sourceID])
    }

    // MARK: Ends

    /// Removes postings whose last day was before a day.
    ///
    /// - Returns: how many.
    public func removeEnded(before day: CivilDay) throws(PostingError) -> Int {
        try write { session in try session.execute("DELETE FROM postings WHERE expires < ?", [day.number]) }
    }

    /// Removes postings of a source.
    ///
    /// - Parameter ids: their identities there; `nil` for all.
    /// - Returns: how many.
    public func remove(source: String, ids: [String]?) throws(PostingError) -> Int {
        try write { session in
            guard let ids else { return try session.execute("DELETE FROM postings WHERE source = ?", [source]) }
            return try ids.reduce(0) { count, id in
                count + (try session.execute("DELETE FROM postings WHERE source = ? AND source_id = ?", [source, id]))
            }
        }
    }
}
