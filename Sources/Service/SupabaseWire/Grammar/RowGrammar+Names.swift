/// The grammar of the rows' queries, rule by rule as in PostgREST's module `QueryParams`.
enum RowGrammar {
    typealias Rule<Value> = GrammarReader.Rule<Value>

    /// A rule for one character.
    static func character(_ scalar: Unicode.Scalar) -> Rule<Void> {
        { reader in try reader.character(scalar) }
    }

    /// A rule for a text that stands for a value.
    static func word<Value>(_ text: String, _ value: Value) -> Rule<Value> {
        { reader in
            try reader.attempt { reader in try reader.string(text) }
            return value
        }
    }

    static func comma(_ reader: inout GrammarReader) throws {
        try reader.character(",")
    }

    static func spacedComma(_ reader: inout GrammarReader) throws {
        try reader.spaced(comma)
    }

    static func delimiter(_ reader: inout GrammarReader) throws {
        try reader.labelled("delimiter (.)", character("."))
    }
}

/// Names.
extension RowGrammar {
    static func fieldName(_ reader: inout GrammarReader) throws -> String {
        try reader.labelled("field name (* or [a..z0..9_$])") { reader in
            try reader.either(
                quotedValue,
                or: { reader in
                    try dashed(identifier, &reader)
                })
        }
    }

    static func identifier(_ reader: inout GrammarReader) throws -> String {
        let first = try reader.scalar(expecting: ["letter", "digit"], isIdentifier)
        return trimmed(String(first) + reader.run(expecting: ["letter", "digit"], of: isIdentifier))
    }

    private static func isIdentifier(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", " ", "$": true
        default:
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
            default: false
            }
        }
    }

    /// Without the white space around it.
    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let kept = scalars.drop { $0.properties.isWhitespace }
        guard let last = kept.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(kept[...last])
    }

    /// Parts with dashes between them; `->` is no dash.
    private static func dashed(
        _ part: Rule<String>, _ reader: inout GrammarReader
    ) throws -> String {
        let parts = try reader.list(of: part) { reader in
            try reader.attempt { reader in
                try reader.character("-")
                try reader.notFollowed { $0 == ">" }
            }
        }
        return parts.joined(separator: "-")
    }

    static func quotedValue(_ reader: inout GrammarReader) throws -> String {
        try reader.character("\"")
        let scalars = try reader.many { reader in
            try reader.either(
                { reader in try reader.scalar { $0 != "\\" && $0 != "\"" } },
                or: { reader in
                    try reader.character("\\")
                    return try reader.scalar { _ in true }
                })
        }
        try reader.character("\"")
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}

/// Columns.
extension RowGrammar {
    static func column(_ reader: inout GrammarReader) throws -> ColumnPath {
        try reader.spaced { reader in
            let name = try fieldName(&reader)
            return ColumnPath(name, steps: try steps(&reader))
        }
    }

    static func columnList(_ reader: inout GrammarReader) throws -> [String] {
        try reader.list(of: fieldName, separator: spacedComma)
    }

    /// A parameter's key: the relations on the way, and the column.
    static func treePath(_ reader: inout GrammarReader) throws -> (path: [String], column: ColumnPath) {
        var names = try reader.list(of: fieldName, separator: delimiter)
        let name = names.removeLast()
        return (names, ColumnPath(name, steps: try steps(&reader)))
    }

    private static func steps(_ reader: inout GrammarReader) throws -> [ColumnPath.Step] {
        try reader.many { reader in
            let isText = try reader.either(word("->>", true), or: word("->", false))
            let part = try reader.either(
                { reader in try reader.attempt(index) },
                or: { reader in try reader.attempt(key) })
            return ColumnPath.Step(part: part, isText: isText)
        }
    }

    private static func index(_ reader: inout GrammarReader) throws -> ColumnPath.Step.Part {
        let isNegative = try reader.optional(character("-")) != nil
        let first = try reader.scalar(expecting: ["digit"], isDigit)
        let digits = String(first) + reader.run(expecting: ["digit"], of: isDigit)
        try reader.first(of: [
            nextIs("->"), nextIs("::"), nextIs("."), nextIs(","),
            { reader in try reader.end() },
        ])
        return .index((isNegative ? "-" : "+") + digits)
    }

    private static func key(_ reader: inout GrammarReader) throws -> ColumnPath.Step.Part {
        let name = try reader.labelled("any non reserved character different from: .,>()") { reader in
            try reader.either(
                quotedValue,
                or: { reader in
                    try dashed(keyPart, &reader)
                })
        }
        return .key(name)
    }

    private static func keyPart(_ reader: inout GrammarReader) throws -> String {
        let first = try reader.scalar(isKeyPart)
        return trimmed(String(first) + reader.run(of: isKeyPart))
    }

    private static func isKeyPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "(", "-", ":", ".", ",", ">", ")": false
        default: true
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// A rule that takes nothing, and fails unless this text follows.
    static func nextIs(_ text: String) -> Rule<Void> {
        { reader in
            try reader.attempt { reader in
                try reader.ahead { reader in try reader.string(text) }
            }
        }
    }
}
