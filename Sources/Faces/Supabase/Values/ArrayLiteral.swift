extension String {
    /// The text as PostgreSQL writes it in a list between brackets: quoted if it would otherwise be read as something
    /// else.
    ///
    /// - Parameter escape: the scalar before a quote or a backslash.
    func quoted(
        forBrackets open: Unicode.Scalar, _ close: Unicode.Scalar, escape: (Unicode.Scalar) -> Unicode.Scalar
    ) -> String {
        let isEscaped = { (scalar: Unicode.Scalar) in scalar == "\"" || scalar == "\\" }
        let isSpecial = { (scalar: Unicode.Scalar) in
            scalar == open || scalar == close || scalar == "," || isEscaped(scalar) || ArrayLiteral.isSpace(scalar)
        }
        if !isEmpty, !unicodeScalars.contains(where: isSpecial) { return self }
        var out = "\""
        for scalar in unicodeScalars {
            if isEscaped(scalar) { out.unicodeScalars.append(escape(scalar)) }
            out.unicodeScalars.append(scalar)
        }
        return out + "\""
    }
}

/// PostgreSQL's text form of arrays, such as `{a,"b c",NULL}`.
enum ArrayLiteral {
    /// The elements of an array of one dimension; `nil` stands for null.
    ///
    /// - Throws: `22P02`.
    static func elements(of literal: String) throws(RowError) -> [String?] {
        var reader = Reader(literal: literal)
        return try reader.elements()
    }

    /// The array as text: an element is quoted if it would otherwise be read as something else.
    static func text(of texts: [String?]) -> String {
        let elements = texts.map { text in
            guard let text else { return "NULL" }
            return text.lowercased() == "null" ? "\"\(text)\"" : text.quoted(forBrackets: "{", "}") { _ in "\\" }
        }
        return "{" + elements.joined(separator: ",") + "}"
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || (0x09...0x0D).contains(scalar.value) }

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

        /// The next element, up to the comma or brace after it.
        private mutating func element() throws(RowError) -> String? {
            skipSpace()
            guard let first = rest.first else { throw failure("Unexpected end of input.") }
            if first == "\"" { return try quoted() }
            var text = String.UnicodeScalarView()
            // Trailing space is removed, but not after a backslash.
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
                    if !ArrayLiteral.isSpace(scalar) { kept = text.count }
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
            while let scalar = rest.first, ArrayLiteral.isSpace(scalar) { rest.removeFirst() }
        }

        private func failure(_ details: String) -> RowError {
            RowError(400, "22P02", "malformed array literal: \"\(literal)\"", details: details)
        }
    }
}
