/// How far up a title stands.
public enum Seniority: Int, Hashable, Sendable, CaseIterable, Comparable {
    case intern
    case junior
    case regular
    case senior
    case lead
    case head

    /// Whether `first` stands below `second`.
    public static func < (first: Seniority, second: Seniority) -> Bool { first.rawValue < second.rawValue }

    /// What a folded word says in a title; `nil` for words that say nothing of it.
    ///
    /// `associate`, `assistant` and `manager` belong to the names of occupations, and are not here.
    public static func saying(_ word: some StringProtocol) -> Seniority? { words[String(word)] }

    private static let words: [String: Seniority] = [
        "intern": .intern, "internship": .intern, "trainee": .intern, "apprentice": .intern, "student": .intern,
        "junior": .junior, "jr": .junior, "entry": .junior, "graduate": .junior, "i": .junior, "1": .junior,
        "mid": .regular, "intermediate": .regular, "ii": .regular, "2": .regular,
        "senior": .senior, "sr": .senior, "snr": .senior, "iii": .senior, "3": .senior, "experienced": .senior,
        "lead": .lead, "principal": .lead, "staff": .lead, "iv": .lead, "4": .lead, "v": .lead, "leader": .lead,
        "head": .head, "chief": .head, "vp": .head, "director": .head, "vice": .head, "president": .head,
    ]
}
