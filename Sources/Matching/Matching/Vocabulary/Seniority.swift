/// How senior a title is.
public enum Seniority: Int, Hashable, Sendable, CaseIterable, Comparable {
    case intern
    case junior
    case regular
    case senior
    case lead
    case head

    /// Whether `first` ranks below `second`.
    public static func < (first: Seniority, second: Seniority) -> Bool { first.rawValue < second.rawValue }

    /// The seniority that a folded word expresses in a title; `nil` for any other word.
    ///
    /// `associate`, `assistant` and `manager` are not here, because they belong to names of occupations.
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
