internal import GRDB

/// Reads a row's columns one by one: where one holds what it should not, that is noted, and something harmless stands in.
///
/// GRDB's own conversions end the process for a value of another type, and mend texts that are no UTF-8 in silence. So
/// texts are selected as their bytes (`CAST(… AS BLOB)`).
struct RowReader {
    private let row: Row
    private let places: [String: Int]
    private(set) var unreadable: [UnreadableColumn] = []

    /// - Parameter places: where each column stands in the row: GRDB's own look by name takes longer than all else of a claim.
    init(_ row: Row, _ places: [String: Int]) {
        self.row = row
        self.places = places
    }

    private func stored(_ column: String) -> DatabaseValue { row[places[column]!] }

    /// A number in a range.
    mutating func integer(_ column: String, _ range: ClosedRange<Int64>, or standIn: Int64 = 0) -> Int64 {
        let value = stored(column)
        if case .int64(let number) = value.storage, range.contains(number) { return number }
        note(column, Self.words(value))
        return standIn
    }

    /// A number in a range, or none.
    mutating func integerIfThere(_ column: String, _ range: ClosedRange<Int64>) -> Int64? {
        if stored(column).isNull { return nil }
        let noted = unreadable.count
        let number = integer(column, range)
        return unreadable.count == noted ? number : nil
    }

    /// What `body` makes of a text; nothing of NULL.
    mutating func valueIfThere<Value>(_ column: String, _ body: (String) -> Value?) -> Value? {
        let value = stored(column)
        if value.isNull { return nil }
        guard case .blob(let bytes) = value.storage, let text = String(validating: Array(bytes), as: UTF8.self) else {
            note(column, Self.words(value))
            return nil
        }
        if let value = body(text) { return value }
        note(column, Self.words(text))
        return nil
    }

    /// What `body` makes of a text.
    mutating func value<Value>(_ column: String, or standIn: Value, _ body: (String) -> Value?) -> Value {
        let noted = unreadable.count
        if let value = valueIfThere(column, body) { return value }
        if unreadable.count == noted { note(column, "NULL") }
        return standIn
    }

    private mutating func note(_ column: String, _ found: String) {
        unreadable.append(UnreadableColumn(name: column, found: found))
    }

    /// A number where one is wanted, whatever the row holds.
    static func integer(_ value: DatabaseValue) -> Int64? {
        if case .int64(let number) = value.storage { number } else { nil }
    }

    /// A text where one is wanted, whatever the row holds.
    static func text(_ value: DatabaseValue) -> String? {
        switch value.storage {
        case .string(let text): text
        case .blob(let bytes): String(validating: Array(bytes), as: UTF8.self)
        case .null, .int64, .double: nil
        }
    }

    private static func words(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "NULL"
        case .int64(let number): "the number \(number)"
        case .double(let number): "the number \(number)"
        case .string(let text): words(text)
        case .blob(let bytes): "\(bytes.count) bytes that are no text"
        }
    }

    private static func words(_ text: String) -> String {
        text.utf8.count > 60 ? "“\(text.prefix(60))…” (\(text.utf8.count) bytes)" : "“\(text)”"
    }
}
