internal import GRDB

/// Reads the columns of a row. A column with an unexpected value is noted as unreadable and replaced by a harmless value.
///
/// GRDB's own conversions end the process at a value of another type, and repair invalid UTF-8 in silence. So texts are
/// selected as bytes (`CAST(… AS BLOB)`).
struct RowReader {
    private let row: Row
    private let places: [String: Int]
    private(set) var unreadable: [UnreadableColumn] = []

    /// - Parameter places: the index of each column; GRDB's look-up by name takes longer than the rest of a claim.
    init(_ row: Row, _ places: [String: Int]) {
        self.row = row
        self.places = places
    }

    private func stored(_ column: String) -> DatabaseValue { row[places[column]!] }

    /// A whole number in a range.
    mutating func integer(_ column: String, _ range: ClosedRange<Int64>, or standIn: Int64 = 0) -> Int64 {
        let value = stored(column)
        if case .int64(let number) = value.storage, range.contains(number) { return number }
        note(column, Self.words(value))
        return standIn
    }

    /// A whole number in a range; `nil` for NULL and for other values.
    mutating func integerIfThere(_ column: String, _ range: ClosedRange<Int64>) -> Int64? {
        if stored(column).isNull { return nil }
        let noted = unreadable.count
        let number = integer(column, range)
        return unreadable.count == noted ? number : nil
    }

    /// The value that `body` parses from a text; `nil` for NULL.
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

    /// The value that `body` parses from a text, else `standIn`.
    mutating func value<Value>(_ column: String, or standIn: Value, _ body: (String) -> Value?) -> Value {
        let noted = unreadable.count
        if let value = valueIfThere(column, body) { return value }
        if unreadable.count == noted { note(column, "NULL") }
        return standIn
    }

    private mutating func note(_ column: String, _ found: String) {
        unreadable.append(UnreadableColumn(name: column, found: found))
    }

    /// A whole number; `nil` for a value of another type.
    static func integer(_ value: DatabaseValue) -> Int64? {
        if case .int64(let number) = value.storage { number } else { nil }
    }

    /// A text; `nil` for a value of another type, or bytes that are no UTF-8.
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
