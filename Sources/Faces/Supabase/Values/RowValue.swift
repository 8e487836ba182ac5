package import Media

/// The value in one column of a row.
package enum RowValue: Sendable {
    case null
    case text(String)
    /// In lower case with hyphens.
    case uuid(String)
    case integer(Int64)
    case boolean(Bool)
    case timestamp(Instant)
    /// Stored arrays have no null; those of queries may.
    case texts([String?])

    /// Whether SQL finds no value here.
    package var isNull: Bool { self == .null }

    /// The value in a response.
    package var json: JSON {
        switch self {
        case .null: .null
        case .text(let text), .uuid(let text): .string(text)
        case .integer(let number): .integer(number)
        case .boolean(let value): .bool(value)
        case .timestamp(let moment): .string(moment.postgresText)
        case .texts(let texts): .array(texts.map { $0.map(JSON.string) ?? .null })
        }
    }

    /// The value as PostgreSQL's `text`; `nil` for null.
    package var text: String? {
        switch self {
        case .null: nil
        case .text(let text), .uuid(let text): text
        case .integer(let number): String(number)
        case .boolean(let value): value ? "true" : "false"
        case .timestamp(let moment): Self.sqlText(moment)
        case .texts(let texts): ArrayLiteral.text(of: texts)
        }
    }

    /// The value as PostgreSQL writes it in a row: a Boolean's cast is a word, its output a letter.
    var outputText: String? {
        if case .boolean(let value) = self { value ? "t" : "f" } else { text }
    }

    /// `2026-01-31 09:00:00.12+00`.
    private static func sqlText(_ moment: Instant) -> String {
        String(moment.postgresText.map { $0 == "T" ? " " : $0 }.dropLast(3))
    }
}

/// Texts are equal if their bytes are, as in the database; Swift's are equal if their characters are.
extension RowValue: Hashable {
    /// Compares types and bytes.
    package static func == (left: RowValue, right: RowValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.text(let left), .text(let right)), (.uuid(let left), .uuid(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.integer(let left), .integer(let right)): left == right
        case (.boolean(let left), .boolean(let right)): left == right
        case (.timestamp(let left), .timestamp(let right)): left == right
        case (.texts(let left), .texts(let right)):
            left.elementsEqual(right) { $0.map { Array($0.utf8) } == $1.map { Array($0.utf8) } }
        default: false
        }
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .text(let text), .uuid(let text): Self.combine(text, into: &hasher)
        case .integer(let number): hasher.combine(number)
        case .boolean(let truth): hasher.combine(truth)
        case .timestamp(let moment): hasher.combine(moment)
        case .texts(let texts): for text in texts { Self.combine(text ?? "", into: &hasher) }
        }
    }

    private static func combine(_ text: String, into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
