internal import Media

/// Ranks postings for a person.
///
/// ```swift
/// let aim = SearchAim(profile, vocabulary: .builtIn, gazetteer: .builtIn, now: now)
/// let matches = Matcher(aim: aim, vocabulary: .builtIn, today: today).ranked(candidates)
/// ```
///
/// The same candidates give the same ranking, whatever their order: of two matches with equal scores, the lower key
/// comes first. A position that several sources publish is one match.
public struct Matcher: Sendable {
    /// The maximum distance, in kilometres, of a town within reach.
    public static let reach = 80.0

    private let aim: SearchAim
    private let vocabulary: Vocabulary
    private let today: CivilDay

    /// - Parameter today: the day from which the age of postings is counted.
    public init(aim: SearchAim, vocabulary: Vocabulary, today: CivilDay) {
        self.aim = aim
        self.vocabulary = vocabulary
        self.today = today
    }

    /// The matches among candidates, the best first. Of candidates with one key, the first counts. If several sources
    /// have the same title, employer and place, only the best match's source counts.
    public func ranked(_ candidates: some Sequence<Candidate>) -> [Match] {
        var offers: [Posting.Key: Offer?] = [:]
        var matches: [Match] = []
        for candidate in candidates
        where offers.updateValue(Offer(candidate.posting), forKey: candidate.posting.key) == nil {
            if let match = match(candidate) { matches.append(match) }
        }
        // Two matches of one source stay two: the source distinguishes them.
        var sources: [Offer: String] = [:]
        return matches.sorted { ($1.score, $0.key) < ($0.score, $1.key) }.filter { match in
            guard let offer = offers[match.key] ?? nil else { return true }
            if let source = sources[offer] { return source == match.key.source }
            sources[offer] = match.key.source
            return true
        }
    }

    /// What two postings of the same work have in common.
    private struct Offer: Hashable {
        let title: String
        let company: String
        let location: String

        /// `nil` if the employer is not given: it may be any.
        init?(_ posting: Posting) {
            guard !posting.company.isEmpty else { return nil }
            title = posting.title.folded
            company = posting.company.folded
            location = posting.location.folded
        }
    }

    /// How a posting fits; `nil` if it is closed, or if it has no related occupation and does not need the person's
    /// skills.
    public func match(_ candidate: Candidate) -> Match? {
        let (posting, traits) = (candidate.posting, candidate.traits)
        guard posting.isOpen(on: today) else { return nil }
        let skills = skills(posting, traits)
        guard let category = category(traits, skills) else { return nil }
        let parts = Match.Parts(
            title: title(traits), skills: skills.share, seniority: seniority(traits), recency: recency(posting))
        let kilometres = traits.place.flatMap { place in aim.place.map(place.kilometres) }
        return Match(
            key: posting.key, category: category, parts: parts, query: candidate.query, kilometres: kilometres,
            isLocal: posting.isRemote || kilometres.map { $0 <= Self.reach } == true)
    }

    private func category(_ traits: PostingTraits, _ skills: (share: Double, count: Int)) -> Match.Category? {
        if let category = aim.category(ofOccupation: traits.occupation, vocabulary) { return category }
        return skills.count >= 3 && skills.share >= 0.5 ? .adjacent : nil
    }

    /// The best weight of an occupation that is the same or related, and a fifth for shared words.
    private func title(_ traits: PostingTraits) -> Double {
        var best = 0.0
        if let occupation = traits.occupation {
            for (code, weight) in aim.occupations {
                let closeness = code == occupation ? 1 : vocabulary.isRelated(code, occupation) ? 0.55 : 0
                best = max(best, weight * closeness)
            }
            best *= 0.6 + 0.4 * traits.confidence
        }
        let words = Set(traits.titleWords)
        let overlap =
            aim.titles.map { title -> Double in
                let shared = words.intersection(title).count
                return Double(2 * shared) / Double(max(1, words.count + Set(title).count))
            }.max() ?? 0
        return min(1, 0.8 * best + 0.2 * overlap)
    }

    /// The person's share of the posting's skills; a skill of few occupations counts more. A distinct skill that the
    /// vocabulary does not know counts as one of a single occupation, any other as a word.
    private func skills(_ posting: Posting, _ traits: PostingTraits) -> (share: Double, count: Int) {
        var (all, own, count) = (0.0, 0.0, 0)
        for skill in traits.skills {
            let weight = 1 / Double(1 + vocabulary.userCount(ofSkill: skill))
            all += weight
            guard let certainty = aim.skills[skill] else { continue }
            own += weight * certainty
            count += 1
        }
        for skill in ownSkills(of: posting) {
            let weight = skill.isDistinct ? 0.5 : 0.1
            all += weight
            own += weight * skill.weight
            if skill.isDistinct { count += 1 }
        }
        // The small summand makes one skill of one count less than five of five.
        return (all > 0 ? own / (all + 0.1) : 0, count)
    }

    private func ownSkills(of posting: Posting) -> [OwnSkills.Skill] {
        let own = aim.ownSkills
        guard !own.all.isEmpty else { return [] }
        let mentions = [posting.title, posting.text].flatMap { own.mentions(in: ScannedWord.all(of: $0)) }
        return Set(mentions.map(\.skill)).sorted().map { own.all[$0] }
    }

    /// 1 for the same seniority, less for each step of difference and for missing years.
    private func seniority(_ traits: PostingTraits) -> Double {
        let steps = abs((traits.seniority ?? .regular).rawValue - aim.seniority.rawValue)
        let missing = max(0, (traits.years ?? 0) - aim.years)
        return max(0, 1 - 0.25 * Double(steps) - 0.1 * Double(min(missing, 5)))
    }

    /// Half after a month, a quarter after three; a third if the day is not known.
    private func recency(_ posting: Posting) -> Double {
        guard let posted = posting.posted else { return 1.0 / 3 }
        return 1 / (1 + Double(max(0, today.number - posted.number)) / 30)
    }
}
