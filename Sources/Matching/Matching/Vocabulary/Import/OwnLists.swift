/// Reads the project's own lists, whose first lines describe their form.
public enum OwnLists {
    /// The occupations of a list; an occupation's code is its name.
    public static func occupations(_ text: String) throws(VocabularyError) -> [Occupation] {
        var occupations: [Occupation] = []
        var field = ""
        for (number, line) in lines(of: text) {
            if line.hasPrefix("==") {
                field = line.dropFirst(2).trimmed
            } else if let names = line.after("  related:") {
                guard !occupations.isEmpty else { throw VocabularyError(line: number, reason: .noOccupation) }
                occupations[occupations.count - 1].related = names.items
            } else if let names = line.after("  skills:") {
                guard !occupations.isEmpty else { throw VocabularyError(line: number, reason: .noOccupation) }
                occupations[occupations.count - 1].skills = names.items
            } else if !line.hasPrefix(" "), let colon = line.firstIndex(of: ":") {
                let name = line[..<colon].trimmed
                let titles = line[line.index(after: colon)...].items
                occupations.append(Occupation(code: name, name: name, field: field, titles: titles))
            } else {
                throw VocabularyError(line: number, reason: .unknownForm)
            }
        }
        return occupations
    }

    /// The skills of a list, with their synonyms.
    public static func skills(_ text: String) throws(VocabularyError) -> [Skill] {
        var skills: [Skill] = []
        for (number, line) in lines(of: text) {
            let parts = line.split(separator: " = ", maxSplits: 1)
            guard let first = parts.first, !first.trimmed.isEmpty else {
                throw VocabularyError(line: number, reason: .unknownForm)
            }
            let own = spelling(first)
            let synonyms = parts.count > 1 ? parts[1].items.map { spelling($0[...]) } : []
            skills.append(Skill(own.text, synonyms: synonyms, recognition: own.recognition))
        }
        return skills
    }

    private static func spelling(_ text: Substring) -> Skill.Spelling {
        switch text.first {
        case "!": Skill.Spelling(text.dropFirst().trimmed, recognition: .withItsCapitals)
        case "?": Skill.Spelling(text.dropFirst().trimmed, recognition: .inLists)
        default: Skill.Spelling(text.trimmed)
        }
    }

    /// The lines with their numbers from 1, without comments and empty lines.
    private static func lines(of text: String) -> [(number: Int, line: Substring)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.element.hasPrefix("# ") && $0.element != "#" && !$0.element.trimmed.isEmpty }
            .map { ($0.offset + 1, $0.element) }
    }
}

/// Why a list of occupations or skills was refused.
public struct VocabularyError: Error, Hashable, Sendable {
    /// The line of the list, from 1.
    public let line: Int
    /// What is wrong there.
    public let reason: Reason

    /// A refusal of a line.
    public init(line: Int, reason: Reason) {
        self.line = line
        self.reason = reason
    }

    /// What can be wrong with a list.
    public enum Reason: Hashable, Sendable {
        /// The line names related occupations or skills, but no occupation precedes it.
        case noOccupation
        /// The line has none of the list's forms.
        case unknownForm
        /// The first line lacks a column of this name.
        case noColumn(String)
        /// The bytes are not UTF-8.
        case notUTF8
        /// No row has an occupation.
        case noRows
    }
}

extension VocabularyError.Reason: CustomStringConvertible {
    /// For the operator.
    public var description: String {
        switch self {
        case .noOccupation: "no occupation stands above this line"
        case .unknownForm: "the line has no form of the list"
        case .noColumn(let name): "the first line has no column \(name): is this the file as it was published?"
        case .notUTF8: "this is no UTF-8: take the file as it was published, or save it in UTF-8"
        case .noRows: "no row has an occupation: is this the file as it was published?"
        }
    }
}

extension Substring {
    /// Without white space around it.
    var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// The parts between commas.
    fileprivate var items: [String] { split(separator: ",").map(\.trimmed).filter { !$0.isEmpty } }

    fileprivate func after(_ prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
