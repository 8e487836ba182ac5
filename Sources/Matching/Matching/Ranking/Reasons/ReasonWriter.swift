public import Media

/// Writes why a posting fits a person, from the words of both.
///
/// Every statement comes from one of the two. Names, titles and skills are quoted as written. A number of years of the
/// résumé is counted from the dates that the sentence names as its ranges.
public struct ReasonWriter: Sendable {
    /// The maximum number of bullets.
    public static let mostBullets = 5

    let profile: Profile
    let vocabulary: Vocabulary
    let gazetteer: Gazetteer
    let now: PartialDate
    let aim: SearchAim

    /// - Parameter now: the month that "present" means.
    public init(_ profile: Profile, vocabulary: Vocabulary, gazetteer: Gazetteer, now: PartialDate) {
        self.profile = profile
        self.vocabulary = vocabulary
        self.gazetteer = gazetteer
        self.now = now
        aim = SearchAim(profile, vocabulary: vocabulary, gazetteer: gazetteer, now: now)
    }

    /// The reasons for a posting; bullets without facts in both are omitted.
    public func reasons(for posting: Posting) -> Reasons {
        let occupation = vocabulary.reading(ofTitle: posting.title).occupation
        let skills = SharedSkills(profile, posting, vocabulary).inOrder
        var bullets: [Reason] = []
        if let reason = titleReason(posting, occupation) { bullets.append(reason) }
        if let reason = yearsReason(posting, occupation) { bullets.append(reason) }
        let others = [degreeReason(posting), placeReason(posting)].compactMap(\.self)
        bullets += skillReasons(skills, isAlone: bullets.isEmpty && others.isEmpty) + others
        if bullets.count < 2, let reason = experienceReason(posting) { bullets.append(reason) }
        return Reasons(
            summary: summary(posting, occupation, skills), bullets: Array(bullets.prefix(Self.mostBullets)))
    }

    /// It says "direct" only if a match does; another position of the person may also have the posting's occupation.
    private func summary(_ posting: Posting, _ occupation: String?, _ skills: [SharedSkill]) -> Reason {
        let (title, places) = offer(posting)
        if let work = position(for: occupation, sameOnly: true), let own = work.position {
            let isDirect = aim.category(ofOccupation: occupation, vocabulary) == .direct
            let text =
                isDirect
                ? "A direct match: \(title) is the work that your résumé shows as \(own.value)."
                : "Work that you know: \(title) is what your résumé also shows, as \(own.value)."
            return Reason(text: text, posting: places, resume: [own.place].compactMap(\.self))
        }
        if let work = position(for: occupation, sameOnly: false), let own = work.position {
            let text = "A related role: \(title) is close to your work as \(own.value)."
            return Reason(text: text, posting: places, resume: [own.place].compactMap(\.self))
        }
        guard !skills.isEmpty else {
            return Reason(text: "\(title) was found by the words of your résumé.", posting: places, resume: [])
        }
        let chosen = skills.prefix(3)
        return Reason(
            text: "Your skills carry over: \(title) asks for \(Self.list(chosen.map(\.asked))).",
            posting: places + chosen.map(\.postingPlace), resume: chosen.compactMap(\.own.place))
    }

    /// "iOS Developer at Lodestar Labs", with the places of both names.
    private func offer(_ posting: Posting) -> (text: String, places: [PostingPlace]) {
        let title = PostingPlace(.title, 0..<posting.title.utf8.count)
        guard !posting.company.isEmpty else { return (posting.title, [title]) }
        return (
            "\(posting.title) at \(posting.company)", [title, PostingPlace(.company, 0..<posting.company.utf8.count)]
        )
    }

    private func titleReason(_ posting: Posting, _ occupation: String?) -> Reason? {
        let title = PostingPlace(.title, 0..<posting.title.utf8.count)
        guard let work = position(for: occupation, sameOnly: true) ?? position(for: occupation, sameOnly: false),
            let own = work.position
        else { return nil }
        let employer = work.name.map { " at \($0.value)" } ?? ""
        let isSame = vocabulary.reading(ofTitle: own.value).occupation == occupation
        let text =
            isSame
            ? "\(posting.title) wanted; your résumé shows \(own.value)\(employer)."
            : "\(posting.title) wanted; your résumé shows related work as \(own.value)\(employer)."
        return Reason(text: text, posting: [title], resume: [own.place, work.name?.place].compactMap(\.self))
    }

    /// The latest position of an occupation or of a related one; if there is none, the person's own title.
    private func position(for occupation: String?, sameOnly: Bool) -> Profile.Work? {
        guard let occupation else { return nil }
        func fits(_ work: Profile.Work) -> Bool {
            guard let title = work.position?.value, let code = vocabulary.reading(ofTitle: title).occupation else {
                return false
            }
            return sameOnly ? code == occupation : vocabulary.isRelated(code, occupation)
        }
        var label = Profile.Work()
        label.position = profile.basics.label
        return profile.work.first(where: fits) ?? (fits(label) ? label : nil)
    }

    private func yearsReason(_ posting: Posting, _ occupation: String?) -> Reason? {
        guard let asked = YearsAsked(in: posting.text, words: ScannedWord.all(of: posting.text)),
            let shown = shown(occupation), shown.years >= asked.years
        else { return nil }
        let quote = posting.text[utf8: asked.bytes]
        return Reason(
            text: "\(Self.beginning(quote)) asked for; your résumé shows \(shown.words).",
            posting: [PostingPlace(.text, asked.bytes)], resume: shown.places)
    }

    /// For short postings: the title, and the years in such work.
    private func experienceReason(_ posting: Posting) -> Reason? {
        let occupation = vocabulary.reading(ofTitle: posting.title).occupation
        guard let shown = shown(occupation), shown.years >= 1 else { return nil }
        return Reason(
            text: "For \(posting.title), your résumé brings \(shown.words).",
            posting: [PostingPlace(.title, 0..<posting.title.utf8.count)], resume: shown.places)
    }

    /// Full years in positions of an occupation or a related one, never rounded up, and these years in words with the
    /// latest title.
    private func shown(_ occupation: String?) -> (years: Int, words: String, places: [TextPlace])? {
        let positions = profile.work.filter { work in
            guard let title = work.position?.value, work.startDate != nil else { return false }
            guard let occupation, let code = vocabulary.reading(ofTitle: title).occupation else { return false }
            return vocabulary.isRelated(code, occupation)
        }
        guard let title = positions.first?.position else { return nil }
        var only = Profile()
        only.work = positions
        let dates = positions.flatMap { [$0.startDate?.place, $0.endDate?.place] }
        var places: [TextPlace] = []
        for place in [title.place] + dates { if let place, !places.contains(place) { places.append(place) } }
        let years = only.monthsOfExperience(at: now) / 12
        let isOne = positions.allSatisfy { $0.position?.value == title.value }
        let words = "\(Self.years(years)) \(isOne ? "as" : "of such work, last as") \(title.value)"
        return (years, words, places)
    }

    /// Two sentences of up to three skills each: skills that the résumé lists, and skills that it mentions elsewhere.
    ///
    /// - Parameter isAlone: whether there are no other sentences, so that the skills of one are split into two.
    private func skillReasons(_ skills: [SharedSkill], isAlone: Bool) -> [Reason] {
        var reasons: [Reason] = []
        let length = isAlone ? max(1, min(3, (skills.count + 1) / 2)) : 3
        for (group, verb) in [
            (skills.filter(\.own.isListed), "lists"), (skills.filter { !$0.own.isListed }, "mentions"),
        ] {
            for start in stride(from: 0, to: min(group.count, 6), by: length) where reasons.count < 2 {
                let part = group[start..<min(group.count, start + length)]
                let asked = Self.list(part.map(\.asked))
                let own = Self.list(part.map(\.own.text))
                reasons.append(
                    Reason(
                        text: "\(Self.beginning(asked)) asked for; your résumé \(verb) \(own).",
                        posting: part.map(\.postingPlace),
                        resume: part.compactMap(\.own.place)))
            }
        }
        return reasons
    }

    private func degreeReason(_ posting: Posting) -> Reason? {
        guard let asked = DegreeAsked(in: posting.text, words: ScannedWord.all(of: posting.text)) else { return nil }
        for school in profile.education {
            guard let degree = school.studyType,
                let level = DegreeLevel(ScannedWord.all(of: degree.value).map(\.key)), level >= asked.level
            else { continue }
            let area = school.area.map { " in \($0.value)" } ?? ""
            return Reason(
                text:
                    "\(Self.beginning(posting.text[utf8: asked.bytes])) asked for; your résumé shows \(degree.value)\(area).",
                posting: [PostingPlace(.text, asked.bytes)],
                resume: [degree.place, school.area?.place].compactMap(\.self))
        }
        return nil
    }

    private func placeReason(_ posting: Posting) -> Reason? {
        guard let own = profile.basics.location, let home = gazetteer.place(own.value),
            let place = gazetteer.place(posting.location), home.kilometres(to: place) <= Matcher.reach
        else { return nil }
        let text =
            home == place
            ? "The work is in \(posting.location), and your résumé gives \(own.value)."
            : "The work is in \(posting.location), near \(own.value), which your résumé gives."
        return Reason(
            text: text, posting: [PostingPlace(.location, 0..<posting.location.utf8.count)],
            resume: [own.place].compactMap(\.self))
    }

    /// With a capital letter, as a sentence begins.
    private static func beginning(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() }

    /// "a, b and c".
    static func list(_ words: [String]) -> String {
        guard words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
    }

    private static func years(_ count: Int) -> String { count == 1 ? "1 year" : "\(count) years" }
}

extension String {
    /// The text of some bytes of its UTF-8, which begin and end at character boundaries.
    subscript(utf8 range: Range<Int>) -> String {
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return String(self[start..<utf8.index(start, offsetBy: range.count)])
    }
}
