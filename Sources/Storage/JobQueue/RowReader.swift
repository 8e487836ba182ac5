/// Reads the columns of a row. If a column has an unexpected value, notes it as unreadable and substitutes a harmless
/// value.
struct RowReader {
    private let row: any StoredRow
    private let places: [String: Int]
    private(set) var unreadable: [UnreadableColumn] = []

    /// - Parameter places: the index of each column. A look-up by name takes longer than the rest of a claim.
    init(_ row: any StoredRow, _ places: [String: Int]) {
        self.row = row
        self.places = places
    }

    /// A whole number in a range.
    mutating func integer(_ column: String, _ range: ClosedRange<Int64>, or standIn: Int64 = 0) -> Int64 {
        if let number = row.integer(places[column]!), range.contains(number) { return number }
        note(column, row.words(places[column]!))
        return standIn
    }

    /// A whole number in a range; `nil` for NULL and for other values.
    mutating func integerIfThere(_ column: String, _ range: ClosedRange<Int64>) -> Int64? {
        if row.isNull(places[column]!) { return nil }
        let noted = unreadable.count
        let number = integer(column, range)
        return unreadable.count == noted ? number : nil
    }

    /// The value that `body` parses from a text; `nil` for NULL.
    mutating func valueIfThere<Value>(_ column: String, _ body: (String) -> Value?) -> Value? {
        let place = places[column]!
        if row.isNull(place) { return nil }
        guard let text = row.text(place) else {
            note(column, row.words(place))
            return nil
        }
        if let value = body(text) { return value }
        note(column, text.quoted)
        return nil
    }

    /// The value that `body` parses from a text, or else `standIn`.
    mutating func value<Value>(_ column: String, or standIn: Value, _ body: (String) -> Value?) -> Value {
        let noted = unreadable.count
        if let value = valueIfThere(column, body) { return value }
        if unreadable.count == noted { note(column, "NULL") }
        return standIn
    }

    private mutating func note(_ column: String, _ found: String) {
        unreadable.append(UnreadableColumn(name: column, found: found))
    }
}

/// A row whose values may be damaged.
protocol StoredRow {
    /// A whole number; `nil` for NULL and for any other value.
    func integer(_ column: Int) -> Int64?

    /// A text; `nil` for NULL and for any other value.
    func text(_ column: Int) -> String?

    /// Whether the column is NULL.
    func isNull(_ column: Int) -> Bool

    /// The content of a column, for people to read.
    func words(_ column: Int) -> String
}

extension String {
    /// The text in quotation marks, truncated if it is long.
    var quoted: String { utf8.count > 60 ? "“\(prefix(60))…” (\(utf8.count) bytes)" : "“\(self)”" }
}
