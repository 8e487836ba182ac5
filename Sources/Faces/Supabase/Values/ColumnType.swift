package import Media

/// The type of a column, which decides how its values are written.
package enum ColumnType: Hashable, Sendable {
    case uuid, text, integer, boolean, timestamp
    /// An array of texts.
    case texts

    /// PostgreSQL's name of the type.
    package var name: String {
        switch self {
        case .uuid: "uuid"
        case .text: "text"
        case .integer: "integer"
        case .boolean: "boolean"
        case .timestamp: "timestamp with time zone"
        case .texts: "text[]"
        }
    }
}

/// Text of a query as a value.
extension ColumnType {
    /// The value that a literal stands for.
    ///
    /// - Throws: PostgreSQL's error for a text that is not of the type.
    package func value(of literal: String) throws(RowError) -> RowValue {
        switch self {
        case .text: return .text(try Self.stored(literal))
        case .uuid:
            guard let text = Self.uuid(literal) else { throw syntaxError(literal) }
            return .uuid(text)
        case .integer:
            let text = Self.trimmed(literal)
            let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
            else { throw syntaxError(literal) }
            guard let number = Int32(text) else {
                throw RowError(400, "22003", "value \"\(literal)\" is out of range for type integer")
            }
            return .integer(Int64(number))
        case .boolean:
            guard let value = Self.boolean(literal) else { throw syntaxError(literal) }
            return .boolean(value)
        case .timestamp:
            guard let moment = Self.moment(literal) else {
                if Self.startsAsDate(literal) {
                    throw RowError(400, "22008", "date/time field value out of range: \"\(literal)\"")
                }
                throw RowError(400, "22007", "invalid input syntax for type \(name): \"\(literal)\"")
            }
            return .timestamp(moment)
        case .texts: return .texts(try ArrayLiteral.elements(of: Self.stored(literal)))
        }
    }

    /// A text that the database can store: one without a zero byte.
    static func stored(_ literal: String) throws(RowError) -> String {
        guard !literal.utf8.contains(0) else {
            throw RowError(400, "22021", "invalid byte sequence for encoding \"UTF8\": 0x00")
        }
        return literal
    }

    private func syntaxError(_ literal: String) -> RowError {
        RowError(400, "22P02", "invalid input syntax for type \(name): \"\(literal)\"")
    }

    private static func trimmed(_ text: String) -> Substring {
        var rest = text[...]
        while let first = rest.utf8.first, isSpace(first) { rest = rest.dropFirst() }
        while let last = rest.utf8.last, isSpace(last) { rest = rest.dropLast() }
        return rest
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// A UUID with or without braces, and with hyphens after any group of four digits.
    private static func uuid(_ literal: String) -> String? {
        var bytes = Array(literal.utf8)[...]
        if bytes.first == UInt8(ascii: "{") {
            guard bytes.last == UInt8(ascii: "}") else { return nil }
            bytes = bytes.dropFirst().dropLast()
        }
        var digits: [UInt8] = []
        var hyphens = 0
        for byte in bytes {
            if byte == UInt8(ascii: "-") {
                guard hyphens == 0, digits.count > 0, digits.count < 32, digits.count.isMultiple(of: 4) else {
                    return nil
                }
                hyphens += 1
            } else {
                guard let digit = Hex.value(of: byte) else { return nil }
                digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                hyphens = 0
            }
        }
        guard digits.count == 32, hyphens == 0 else { return nil }
        for offset in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: offset) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// `t`, `yes`, `on`, `1` and the like, in any case; prefixes of the words are accepted.
    private static func boolean(_ literal: String) -> Bool? {
        let word = trimmed(literal).lowercased()
        if word.isEmpty { return nil }
        if "true".hasPrefix(word) || "yes".hasPrefix(word) || word == "on" || word == "1" { return true }
        if "false".hasPrefix(word) || "no".hasPrefix(word) || word == "of" || word == "off" || word == "0" {
            return false
        }
        return nil
    }

    private static func startsAsDate(_ literal: String) -> Bool {
        let form = trimmed(literal).utf8.prefix(10).map {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) ? UInt8(ascii: "0") : $0
        }
        return String(decoding: form, as: UTF8.self) == "0000-00-00"
    }

    private static func moment(_ literal: String) -> Instant? {
        let text = trimmed(literal)
        switch text.lowercased() {
        case "infinity": return Instant(microseconds: .max)
        case "-infinity": return Instant(microseconds: .min)
        case "epoch": return Instant(microseconds: 0)
        default: return Instant(text)
        }
    }
}

/// Values of bodies.
extension ColumnType {
    /// The value of a body's JSON, as PostgreSQL's `json_to_record` reads it.
    ///
    /// - Throws: as for literals.
    package func value(of json: JSON) throws(RowError) -> RowValue {
        switch (self, json) {
        case (_, .null): return .null
        case (.texts, .array(let elements)):
            var texts: [String?] = []
            for json in elements { texts.append(try ColumnType.text.value(of: json).text) }
            return .texts(texts)
        case (.texts, .string(let literal)): return try value(of: literal)
        case (.texts, _):
            throw RowError(400, "22P02", "expected JSON array", hint: "See the value of key \"\(name)\".")
        case (_, .string(let literal)): return try value(of: literal)
        default: return try value(of: json.text)
        }
    }
}
