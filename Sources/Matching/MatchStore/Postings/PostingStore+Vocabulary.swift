internal import Database
internal import Hashing
public import Matching
public import Media

/// The imported vocabulary, beside the postings that it finds.
///
/// Each source is one row with all its lists, so that an import is atomic. The digest shows whether the lists changed.
extension PostingStore {
    /// Replaces the lists of the same sources, in one transaction.
    public func keep(_ lists: [VocabularySource: VocabularyLists], at now: Instant) throws(PostingError) {
        let rows = lists.map { source, lists in (source, lists, lists.text) }
        try write { session in
            for (source, lists, text) in rows {
                try session.execute("DELETE FROM vocabulary_lists WHERE source = ?", [source.rawValue])
                try session.execute(
                    """
                    INSERT INTO vocabulary_lists (source, digest, imported_at, occupations, titles, skills, text)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        source.rawValue, Self.digest(of: text), now.microseconds, lists.occupations.count,
                        lists.titleCount, lists.skills.count, text,
                    ])
            }
        }
    }

    /// Removes all imported lists.
    ///
    /// - Returns: the number of sources.
    public func removeVocabulary() throws(PostingError) -> Int {
        try write { session in try session.execute("DELETE FROM vocabulary_lists") }
    }

    /// What was imported, in source order.
    public func importedVocabulary() throws(PostingError) -> [ImportedVocabulary] {
        try read { session in
            try session.all(
                "SELECT source, digest, imported_at, occupations, titles, skills FROM vocabulary_lists ORDER BY source"
            ) { row in
                guard let source = row.text(0).flatMap(VocabularySource.init(rawValue:)), let digest = row.text(1),
                    let imported = row.instant(2)
                else { throw Self.unreadable(row.text(0)) }
                return ImportedVocabulary(
                    source: source, digest: digest, imported: imported, occupationCount: Int(row.integer(3) ?? 0),
                    titleCount: Int(row.integer(4) ?? 0), skillCount: Int(row.integer(5) ?? 0))
            }
        }.sorted { $0.source.order < $1.source.order }
    }

    /// The imported lists with their digests, in source order.
    public func vocabularyLists() throws(PostingError) -> [(digest: String, lists: VocabularyLists)] {
        let rows = try read { session in
            try session.all("SELECT source, digest, text FROM vocabulary_lists") { row in
                guard let source = row.text(0).flatMap(VocabularySource.init(rawValue:)), let digest = row.text(1),
                    let text = row.text(2)
                else { throw Self.unreadable(row.text(0)) }
                return (source: source, digest: digest, text: text)
            }
        }
        var all: [(digest: String, lists: VocabularyLists)] = []
        for row in rows.sorted(by: { $0.source.order < $1.source.order }) {
            do throws(VocabularyError) {
                all.append((row.digest, try VocabularyLists(text: row.text)))
            } catch {
                throw Self.unreadable(row.source.rawValue)
            }
        }
        return all
    }

    private static func unreadable(_ source: String?) -> PostingError {
        .unavailable(
            detail: "the imported vocabulary \(source ?? "") cannot be read: import it again, or reset the vocabulary")
    }

    private static func digest(of text: String) -> String {
        var (hasher, text) = (SHA256(), text)
        text.withUTF8 { hasher.update(UnsafeRawBufferPointer($0)) }
        return hasher.digest().hex
    }
}

/// The lists of a source, as they were imported.
public struct ImportedVocabulary: Hashable, Sendable {
    /// Who publishes them.
    public let source: VocabularySource
    /// The SHA-256 of the lists.
    public let digest: String
    /// When they were imported.
    public let imported: Instant
    /// How many occupations they name.
    public let occupationCount: Int
    /// How many titles, including the occupations' names.
    public let titleCount: Int
    /// How many skills.
    public let skillCount: Int
}

extension VocabularySource {
    /// Lists of an earlier source take precedence.
    fileprivate var order: Int { Self.allCases.firstIndex(of: self)! }
}
