internal import Matching
internal import Media

/// Finds the postings that fit a profile: candidates by several queries, ranked together.
///
/// Each query runs for the whole country, for remote work, and for the places near the person: the newest of all would
/// include few of a town.
struct JobFinder: Sendable {
    /// The number of best matches that a search keeps.
    static let mostMatches = 200
    /// The maximum number of matches near the person, and of remote ones, that are kept beyond the best.
    private static let mostLocalMatches = 100
    /// The maximum number of candidates of one query, the latest first.
    private static let mostCandidates = 150
    /// The same for candidates near the person, and for remote ones.
    private static let mostLocalCandidates = 75
    /// The maximum length, in UTF-8 bytes, of a posting's text stored with a match. Reasons for a longer one are
    /// written only while the posting exists.
    fileprivate static let longestText = 20_000

    private let postings: PostingStore
    private let gazetteer: Gazetteer
    private let places: PlaceMemory

    init(postings: PostingStore, gazetteer: Gazetteer) {
        self.postings = postings
        self.gazetteer = gazetteer
        places = PlaceMemory(gazetteer)
    }

    /// The matches, the best first. The same profile, vocabulary and postings give the same order.
    ///
    /// - Parameter check: called before each query to the index; an error that it throws ends the work.
    func matches(
        for profile: Profile, by vocabulary: Vocabulary, at now: Instant, _ check: () throws -> Void
    ) throws -> [SearchMatch] {
        let today = CivilDay(of: now)
        let aim = SearchAim(profile, vocabulary: vocabulary, gazetteer: gazetteer, now: PartialDate(of: now))
        let near = try nearLocations(aim, today)
        var found: [Posting.Key: StoredPosting] = [:]
        var candidates: [Candidate] = []
        for query in SearchQuery.all(of: aim, vocabulary: vocabulary) {
            for scope in [PostingScope.anywhere, .remote] + (near.isEmpty ? [] : [.at(near)]) {
                try check()
                let stored = try postings.candidates(
                    having: query.alternatives, in: query.field == .title ? .title : .anywhere, openOn: today, scope,
                    limit: scope == .anywhere ? Self.mostCandidates : Self.mostLocalCandidates)
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
        return Self.kept(ranked) { found[$0]!.posting.isRemote }.map { SearchMatch($0, found[$0.key]!, at: now) }
    }

    /// The places of postings within reach of the person's town; none if the town is not known.
    private func nearLocations(_ aim: SearchAim, _ today: CivilDay) throws(PostingError) -> [String] {
        guard let home = aim.place else { return [] }
        return places.texts(try postings.locations(openOn: today), within: Matcher.reach, of: home)
    }

    /// The best matches, and beyond them the best near ones and the best remote ones: many of one kind do not displace
    /// the other.
    private static func kept(_ ranked: [Match], _ isRemote: (Posting.Key) -> Bool) -> [Match] {
        var counts = (near: 0, remote: 0)
        return ranked.enumerated().filter { position, match in
            guard match.isLocal else { return position < mostMatches }
            let count: Int
            if isRemote(match.key) {
                counts.remote += 1
                count = counts.remote
            } else {
                counts.near += 1
                count = counts.near
            }
            return position < mostMatches || count <= mostLocalMatches
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
            parts: match.parts.json.text,
            text: posting.text.utf8.count <= JobFinder.longestText ? posting.text : nil)
    }
}

extension PartialDate {
    /// The month of a moment in UTC.
    init(of moment: Instant) {
        let (year, month, _) = CivilDay(of: moment).parts
        self.init(year: year, month: month)
    }
}
