internal import GRDB

/// A row of SQLite, in which every column may hold a value of any type.
///
/// GRDB's own conversions end the process on a value of another type, and silently repair invalid UTF-8. So texts are
/// selected as bytes (`CAST(… AS BLOB)`).
struct SQLiteRow: StoredRow {
    private let row: Row

    init(_ row: Row) { self.row = row }

    func integer(_ column: Int) -> Int64? { Self.integer(row[column]) }

    func text(_ column: Int) -> String? { Self.text(row[column]) }

    func isNull(_ column: Int) -> Bool { (row[column] as DatabaseValue).isNull }

    func words(_ column: Int) -> String {
        switch (row[column] as DatabaseValue).storage {
        case .null: "NULL"
        case .int64(let number): "the number \(number)"
        case .double(let number): "the number \(number)"
        case .string(let text): text.quoted
        case .blob(let bytes): "\(bytes.count) bytes that are not text"
        }
    }

    /// A whole number; `nil` for a value of another type.
    static func integer(_ value: DatabaseValue) -> Int64? {
        if case .int64(let number) = value.storage { number } else { nil }
    }

    /// A text; `nil` for a value of another type, or bytes that are not UTF-8.
    static func text(_ value: DatabaseValue) -> String? {
        switch value.storage {
        case .string(let text): text
        case .blob(let bytes): String(validating: Array(bytes), as: UTF8.self)
        case .null, .int64, .double: nil
        }
    }
}
