internal import Documents
internal import Matching
internal import Media
internal import PostingDatabase
internal import Postings
internal import Resumes
internal import SearchDatabase
internal import Vocabulary

/// Finds the postings that fit a profile: candidates by several queries, ranked together.
///
/// Each query is asked twice: for the whole country, and for what is local. The newest of the whole country would leave few of a town.
struct JobFinder: Sendable {
    /// The most matches that a search keeps, and the most local ones: local matches beyond the best are kept besides.
    static let mostMatches = 200
    /// The most candidates of one query, those published last.
    private static let mostCandidates = 150

    private let postings: SQLPostingStore
    private let vocabulary: Vocabulary
    private let gazetteer: Gazetteer
    private let places: PlaceMemory

    init(postings: SQLPostingStore, vocabulary: Vocabulary, gazetteer: Gazetteer) {
        self.postings = postings
        self.vocabulary = vocabulary
        self.gazetteer = gazetteer
        places = PlaceMemory(gazetteer)
    }

    /// The matches, the best first. The same profile and postings give the same order.
    func matches(for profile: Profile, at now: Instant) throws(PostingError) -> [SearchMatch] {
        let today = CivilDay(of: now)
        let aim = SearchAim(profile, vocabulary: vocabulary, gazetteer: gazetteer, now: PartialDate(of: now))
        let near = try nearLocations(aim, today)
        var found: [Posting.Key: StoredPosting] = [:]
        var candidates: [Candidate] = []
        for query in SearchQuery.all(of: aim, vocabulary: vocabulary) {
            for locations in [nil, near] {
                let stored = try postings.candidates(
                    having: query.alternatives, in: query.field == .title ? .title : .anywhere, openOn: today,
                    within: locations, limit: Self.mostCandidates)
                for posting in stored where found.updateValue(posting, forKey: posting.posting.key) == nil {
                    candidates.append(
                        Candidate(
                            posting: posting.posting,
                            traits: PostingTraits(of: posting.posting, vocabulary: vocabulary, gazetteer: gazetteer),
                            query: query.name))
                }
            }
        }
        let ranked = Matcher(aim: aim, vocabulary: vocabulary, today: today).ranked(candidates)
        return Self.kept(ranked).map { SearchMatch($0, found[$0.key]!, at: now) }
    }

    /// The places of postings within reach of the person's town; none where the town is not known.
    private func nearLocations(_ aim: SearchAim, _ today: CivilDay) throws(PostingError) -> [String] {
        guard let home = aim.place else { return [] }
        return places.texts(try postings.locations(openOn: today), within: Matcher.reach, of: home)
    }

    /// The best matches, and the best local ones beyond them.
    private static func kept(_ ranked: [Match]) -> [Match] {
        var localCount = 0
        return ranked.enumerated().filter { position, match in
            if match.isLocal { localCount += 1 }
            return position < mostMatches || match.isLocal && localCount <= mostMatches
        }.map(\.element)
    }
}

extension SearchMatch {
    fileprivate init(_ match: Match, _ stored: StoredPosting, at now: Instant) {
        let posting = stored.posting
        self.init(
            id: .make(at: now), posting: stored.id.text, title: posting.title, company: posting.company,
            location: posting.location, isRemote: posting.isRemote, posted: posting.posted, url: posting.url,
            query: match.query, isDirect: match.category == .direct, isLocal: match.isLocal,
            parts: match.parts.json.text, text: posting.text)
    }
}

extension PartialDate {
    /// The month of a moment in UTC.
    init(of moment: Instant) {
        let (year, month, _) = CivilDay(of: moment).parts
        self.init(year: year, month: month)
    }
}
