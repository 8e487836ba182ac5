internal import Database

/// A pattern of `like` and `ilike`: `%` and `*` stand for any text, `_` for one character. A backslash makes the next
/// character literal.
struct LikePattern: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case anyText, anyCharacter
        case literal(Unicode.Scalar)
    }

    /// In PostgreSQL's form; in lower case if case is ignored.
    let text: String
    let ignoresCase: Bool
    private let parts: [Part]

    /// - Throws: `22025` for a backslash with nothing after it; `54000` for a pattern that would take too long.
    init(_ literal: String, ignoresCase: Bool) throws(RowError) {
        var pattern = String.UnicodeScalarView()
        for scalar in literal.unicodeScalars { pattern.append(scalar == "*" ? "%" : scalar) }
        let stored = try ColumnType.stored(String(pattern))
        guard stored.utf8.count <= Self.longest else {
            throw RowError(400, "54000", "a pattern can have at most \(Self.longest) bytes")
        }
        text = ignoresCase ? stored.unicodeLower : stored
        self.ignoresCase = ignoresCase
        var parts: [Part] = []
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "%": parts.append(.anyText)
            case "_": parts.append(.anyCharacter)
            case "\\":
                guard let literal = scalars.popFirst() else {
                    throw RowError(400, "22025", "LIKE pattern must not end with escape character")
                }
                parts.append(.literal(literal))
            default: parts.append(.literal(scalar))
            }
        }
        self.parts = parts
    }

    /// The time to match a text grows with the product of both lengths.
    private static let longest = 256

    /// The same pattern for SQLite's `GLOB`, which is case-sensitive, as `like` is.
    var glob: String {
        parts.map { part in
            switch part {
            case .anyText: "*"
            case .anyCharacter: "?"
            case .literal(let scalar) where ["*", "?", "["].contains(scalar): "[\(Character(scalar))]"
            case .literal(let scalar): String(Character(scalar))
            }
        }.joined()
    }

    /// The longest run of ASCII characters that every matching text has, in any case; `nil` if it is shorter than
    /// three.
    var literal: String? {
        var (longest, run) = ("", "")
        for part in parts {
            if case .literal(let scalar) = part, scalar.isASCII { run.unicodeScalars.append(scalar) } else { run = "" }
            if run.utf8.count > longest.utf8.count { longest = run }
        }
        return longest.utf8.count >= 3 ? longest : nil
    }
}

extension RowPlan {
    /// A text that is in the title or the description of every row that fulfils the plan.
    var searchedText: String? {
        guard table == .documents else { return nil }
        let texts = [table.index(of: "title"), table.index(of: "description")]
        func literals(_ condition: BoundCondition) -> [String] {
            switch condition {
            case .test(let place, .like(let pattern)) where texts.contains(place): [pattern.literal].compactMap(\.self)
            case .all(let conditions): conditions.flatMap(literals)
            default: []
            }
        }
        return literals(condition).max { $0.utf8.count < $1.utf8.count }
    }
}
