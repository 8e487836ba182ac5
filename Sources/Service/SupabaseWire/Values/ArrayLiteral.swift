/// PostgreSQL's text form of arrays, such as `{a,"b c",NULL}`.
enum ArrayLiteral {
    /// The elements of an array of one dimension; `nil` stands for null.
    ///
    /// - Throws: `22P02`.
    static func elements(of literal: String) throws(RowError) -> [String?] {
        var reader = Reader(literal: literal)
        return try reader.elements()
    }

    /// The array as text: elements are quoted where they would be read as something else.
    static func text(of texts: [String?]) -> String {
        "{" + texts.map { $0.map(quoted) ?? "NULL" }.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String) -> String {
        let special: Set<Unicode.Scalar> = ["{", "}", ",", "\"", "\\", " ", "\t", "\n", "\r", "\u{B}", "\u{C}"]
        let isPlain =
            !text.isEmpty && text.lowercased() != "null" && !text.unicodeScalars.contains(where: special.contains)
        if isPlain { return text }
        var out = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { out += "\\" }
            out.unicodeScalars.append(scalar)
        }
        return out + "\""
    }

    private struct Reader {
        let literal: String
        var rest: Substring.UnicodeScalarView

        init(literal: String) {
            self.literal = literal
            rest = literal[...].unicodeScalars
        }

        mutating func elements() throws(RowError) -> [String?] {
            skipSpace()
            guard rest.popFirst() == "{" else {
                throw failure("Array value must start with \"{\" or dimension information.")
            }
            skipSpace()
            var elements: [String?] = []
            if rest.first == "}" {
                rest.removeFirst()
            } else {
                while true {
                    elements.append(try element())
                    guard let end = rest.popFirst() else { throw failure("Unexpected end of input.") }
                    if end == "}" { break }
                    guard end == "," else { throw failure("Unexpected array element.") }
                }
            }
            skipSpace()
            guard rest.isEmpty else { throw failure("Junk after closing right brace.") }
            return elements
        }

        /// The next element, up to the comma or brace behind it.
        private mutating func element() throws(RowError) -> String? {
            skipSpace()
            guard let first = rest.first else { throw failure("Unexpected end of input.") }
            if first == "\"" { return try quoted() }
            var text = String.UnicodeScalarView()
            // Trailing space is cut, but not behind a backslash.
            var kept = 0
            var wasEscaped = false
            while let scalar = rest.first, scalar != ",", scalar != "}" {
                rest.removeFirst()
                switch scalar {
                case "{", "\"": throw failure("Unexpected \"\(scalar)\" character.")
                case "\\":
                    guard let escaped = rest.popFirst() else { throw failure("Unexpected end of input.") }
                    text.append(escaped)
                    kept = text.count
                    wasEscaped = true
                default:
                    text.append(scalar)
                    if !Self.isSpace(scalar) { kept = text.count }
                }
            }
            guard let end = rest.first else { throw failure("Unexpected end of input.") }
            guard kept > 0 else { throw failure("Unexpected \"\(end)\" character.") }
            let element = String(text.prefix(kept))
            return !wasEscaped && element.lowercased() == "null" ? nil : element
        }

        private mutating func quoted() throws(RowError) -> String {
            rest.removeFirst()
            var text = String.UnicodeScalarView()
            while let scalar = rest.popFirst() {
                switch scalar {
                case "\"":
                    skipSpace()
                    return String(text)
                case "\\":
                    guard let escaped = rest.popFirst() else { throw failure("Unexpected end of input.") }
                    text.append(escaped)
                default: text.append(scalar)
                }
            }
            throw failure("Unexpected end of input.")
        }

        private mutating func skipSpace() {
            while let scalar = rest.first, Self.isSpace(scalar) { rest.removeFirst() }
        }

        private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
            scalar == " " || (0x09...0x0D).contains(scalar.value)
        }

        private func failure(_ details: String) -> RowError {
            RowError(400, "22P02", "malformed array literal: \"\(literal)\"", details: details)
        }
    }
}
