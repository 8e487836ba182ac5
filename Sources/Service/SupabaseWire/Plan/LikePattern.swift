/// A pattern of `like` and `ilike`: `%` and `*` stand for any text, `_` for one character, a backslash takes the next literally.
struct LikePattern: Hashable, Sendable {
    /// As PostgreSQL has it; in lower case where case does not count.
    let text: String
    let ignoresCase: Bool

    /// - Throws: `22025` for a backslash with nothing behind it; `54000` for a pattern that SQLite would not take.
    init(_ literal: String, ignoresCase: Bool) throws(RowError) {
        var text = String.UnicodeScalarView()
        for scalar in literal.unicodeScalars { text.append(scalar == "*" ? "%" : scalar) }
        let stored = try ColumnType.stored(String(text))
        // As `unicode_lower` of a text.
        self.text = ignoresCase ? stored.lowercased().replacing("ς", with: "σ") : stored
        self.ignoresCase = ignoresCase
        guard stored.utf8.count <= Self.longest else {
            throw RowError(400, "54000", "a pattern can have at most \(Self.longest) bytes")
        }
        guard stored.utf8.reversed().prefix(while: { $0 == UInt8(ascii: "\\") }).count.isMultiple(of: 2) else {
            throw RowError(400, "22025", "LIKE pattern must not end with escape character")
        }
    }

    /// The time for a text grows with the product of both lengths.
    private static let longest = 256

    /// The same pattern for SQLite's `GLOB`, which heeds case as `like` does.
    var glob: String {
        var glob = String.UnicodeScalarView()
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "%": glob.append("*")
            case "_": glob.append("?")
            default: Self.append(scalar == "\\" ? scalars.popFirst() ?? scalar : scalar, to: &glob)
            }
        }
        return String(glob)
    }

    /// Adds a character that stands for itself.
    private static func append(_ scalar: Unicode.Scalar, to glob: inout String.UnicodeScalarView) {
        if scalar == "*" || scalar == "?" || scalar == "[" {
            glob.append(contentsOf: ["[", scalar, "]"])
        } else {
            glob.append(scalar)
        }
    }

    /// The longest run of ASCII characters that every matching text has, in some case; `nil` where it has fewer than three of them.
    var literal: String? {
        var (longest, run) = ("", "")
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            let isWild = scalar == "%" || scalar == "_"
            let literal = scalar == "\\" ? scalars.popFirst() ?? scalar : scalar
            run = isWild || !literal.isASCII ? "" : run + String(Character(literal))
            if run.utf8.count > longest.utf8.count { longest = run }
        }
        return longest.utf8.count >= 3 ? longest : nil
    }
}

extension RowPlan {
    /// A text that the title or the description of every row has that fulfils the plan.
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
