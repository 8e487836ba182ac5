internal import Documents
internal import Matching
internal import Media
internal import PostingDatabase
internal import Postings
internal import Resumes
internal import SearchDatabase
internal import Vocabulary

/// Finds the postings that fit a profile: candidates by several queries, ranked together.
struct JobFinder: Sendable {
    /// The most matches that a search keeps.
    static let mostMatches = 200
    /// The most candidates of one query, those published last.
    private static let mostCandidates = 150

    let postings: SQLPostingStore
    let vocabulary: Vocabulary
    let gazetteer: Gazetteer

    /// The matches, the best first. The same profile and postings give the same order.
    func matches(for profile: Profile, at now: Instant) throws(PostingError) -> [SearchMatch] {
        let today = CivilDay(of: now)
        let aim = SearchAim(profile, vocabulary: vocabulary, gazetteer: gazetteer, now: PartialDate(of: now))
        var found: [Posting.Key: StoredPosting] = [:]
        var candidates: [Candidate] = []
        for query in SearchQuery.all(of: aim, vocabulary: vocabulary) {
            let field: PostingField = query.field == .title ? .title : .anywhere
            let stored = try postings.candidates(
                having: query.alternatives, in: field, openOn: today, limit: Self.mostCandidates)
            for posting in stored where found.updateValue(posting, forKey: posting.posting.key) == nil {
                candidates.append(
                    Candidate(
                        posting: posting.posting,
                        traits: PostingTraits(of: posting.posting, vocabulary: vocabulary, gazetteer: gazetteer),
                        query: query.name))
            }
        }
        let ranked = Matcher(aim: aim, vocabulary: vocabulary, today: today).ranked(candidates)
        return ranked.prefix(Self.mostMatches).map { SearchMatch($0, found[$0.key]!, at: now) }
    }
}

extension SearchMatch {
    fileprivate init(_ match: Match, _ stored: StoredPosting, at now: Instant) {
        let posting = stored.posting
        self.init(
            id: .make(at: now), posting: stored.id.text, title: posting.title, company: posting.company,
            location: posting.location, isRemote: posting.isRemote, posted: posting.posted, url: posting.url,
            query: match.query, isDirect: match.category == .direct, isLocal: match.isLocal,
            parts: match.parts.json.text)
    }
}

extension PartialDate {
    /// The month of a moment in UTC.
    init(of moment: Instant) {
        let (year, month, _) = CivilDay(of: moment).parts
        self.init(year: year, month: month)
    }
}
