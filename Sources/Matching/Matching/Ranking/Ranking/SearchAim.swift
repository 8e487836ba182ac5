public import Media

/// What a person looks for, as their profile shows it.
public struct SearchAim: Sendable {
    /// The occupations by code: 1 for the person's own title, less for earlier positions.
    public let occupations: [String: Double]
    /// The occupation that counts as the person's own; `nil` if no title is known.
    public let mainOccupation: String?
    /// How senior the person is.
    public let seniority: Seniority
    /// The known skills by name: 1 for listed skills, less for skills that a sentence mentions.
    public let skills: [String: Double]
    /// The skills that the vocabulary does not know.
    let ownSkills: OwnSkills
    /// Full years in positions, never rounded up.
    public let years: Int
    /// The person's town; `nil` if it is not known.
    public let place: Place?
    /// The words of the person's titles without seniority words, the latest first.
    let titles: [[String]]
    /// The person's titles as written, the latest first.
    let writtenTitles: [String]

    /// - Parameter now: the month that "present" means.
    public init(_ profile: Profile, vocabulary: Vocabulary, gazetteer: Gazetteer, now: PartialDate) {
        var occupations: [String: Double] = [:]
        var titles: [String] = []
        var seniority: Seniority?
        let positions = profile.work.filter { $0.position != nil }.sorted { Self.isLater($0, $1) }
        let weights = [0.9, 0.6, 0.4, 0.3]
        let all =
            [(profile.basics.label?.value, 1.0)]
            + zip(positions, weights).map { ($0.position?.value, $1) }
        for (title, weight) in all {
            guard let title, !title.isEmpty else { continue }
            let reading = vocabulary.reading(ofTitle: title)
            if !titles.contains(title) { titles.append(title) }
            if titles.count <= 2, let said = reading.seniority { seniority = max(seniority ?? said, said) }
            if let code = reading.occupation {
                occupations[code] = max(occupations[code] ?? 0, weight * (0.6 + 0.4 * reading.confidence))
            }
        }
        mainOccupation = occupations.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        // The person left unrelated occupations behind.
        if let main = mainOccupation {
            for (code, weight) in occupations where !vocabulary.isRelated(code, main) { occupations[code] = weight / 2 }
        }
        self.occupations = occupations
        writtenTitles = titles
        self.titles = titles.map { title in
            ScannedWord.all(of: title).map(\.key).filter { Seniority.saying($0) == nil }
        }
        years = profile.monthsOfExperience(at: now) / 12
        self.seniority = seniority ?? (years < 2 ? .junior : .regular)
        skills = Self.skills(of: profile, vocabulary)
        ownSkills = OwnSkills(profile)
        place = profile.basics.location.flatMap { gazetteer.place($0.value) }
    }

    /// How an occupation is related to the person's work; `nil` if it is not.
    func category(ofOccupation occupation: String?, _ vocabulary: Vocabulary) -> Match.Category? {
        guard let occupation else { return nil }
        if occupation == mainOccupation { return .direct }
        if occupations[occupation] != nil { return .adjacent }
        return mainOccupation.map { vocabulary.isRelated($0, occupation) } == true ? .adjacent : nil
    }

    private static func isLater(_ first: Profile.Work, _ second: Profile.Work) -> Bool {
        if first.isCurrent != second.isCurrent { return first.isCurrent }
        return (first.endDate?.value ?? PartialDate(year: 0)) > (second.endDate?.value ?? PartialDate(year: 0))
    }

    private static func skills(of profile: Profile, _ vocabulary: Vocabulary) -> [String: Double] {
        var skills: [String: Double] = [:]
        for skill in profile.skills {
            guard let name = skill.known else { continue }
            skills[name] = max(skills[name] ?? 0, skill.isListed ? 1 : 0.7)
        }
        for certificate in profile.certificates {
            for mention in vocabulary.skills(in: certificate.name.value, isList: true) { skills[mention.name] = 1 }
        }
        return skills
    }
}
