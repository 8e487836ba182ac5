package import Documents
package import Media

/// What stands in one column of a row.
package indirect enum RowValue: Hashable, Sendable {
    case null
    case text(String)
    /// In lower case with hyphens.
    case uuid(String)
    case integer(Int64)
    case boolean(Bool)
    case timestamp(Instant)
    case array([RowValue])
    case json(JSON)

    /// Whether SQL would find no value here.
    package var isNull: Bool { self == .null }

    /// The value in an answer.
    package var json: JSON {
        switch self {
        case .null: .null
        case .text(let text), .uuid(let text): .string(text)
        case .integer(let number): .integer(number)
        case .boolean(let value): .bool(value)
        case .timestamp(let moment): .string(moment.postgresText)
        case .array(let values): .array(values.map(\.json))
        case .json(let value): value
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
        case .array(let values): ArrayLiteral.text(of: values)
        case .json(let value): value.text
        }
    }

    /// `2026-01-31 09:00:00.12+00`.
    private static func sqlText(_ moment: Instant) -> String {
        String(moment.postgresText.map { $0 == "T" ? " " : $0 }.dropLast(3))
    }
}

extension RowValue {
    /// Whether the values are the same, by SQL: `nil` if one is null.
    func equals(_ other: RowValue) -> Bool? {
        isNull || other.isNull ? nil : self == other
    }

    /// The order of two values of one type that are not null: below zero, zero or above.
    ///
    /// Texts are ordered as a person would, case and accents aside, and then by their characters.
    func order(to other: RowValue) -> Int {
        switch (self, other) {
        case (.text(let left), .text(let right)):
            let order = Self.order(left.folded, right.folded)
            return order == 0 ? Self.order(left, right) : order
        case (.uuid(let left), .uuid(let right)): return Self.order(left, right)
        case (.integer(let left), .integer(let right)): return Self.order(left, right)
        case (.boolean(let left), .boolean(let right)): return Self.order(left ? 1 : 0, right ? 1 : 0)
        case (.timestamp(let left), .timestamp(let right)): return Self.order(left, right)
        case (.array(let left), .array(let right)):
            for (first, second) in zip(left, right) {
                let order = Self.orderOfElements(first, second)
                if order != 0 { return order }
            }
            return Self.order(left.count, right.count)
        case (.json(let left), .json(let right)): return Self.order(left.text, right.text)
        default: return 0
        }
    }

    /// In arrays, null counts as greater than all values.
    private static func orderOfElements(_ left: RowValue, _ right: RowValue) -> Int {
        switch (left.isNull, right.isNull) {
        case (true, true): 0
        case (true, false): 1
        case (false, true): -1
        case (false, false): left.order(to: right)
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }
}
