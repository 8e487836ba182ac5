internal import Documents
internal import GRDB
internal import GRDBSQLite
internal import Media

/// The columns of the row that a running statement stands on.
///
/// GRDB's rows copy every value, and their conversions end the process at a value of another type. Here a value is read where
/// SQLite has it, and is `nil` where it is NULL or of another type. It counts until the statement's next step.
struct RowColumns {
    private let statement: SQLiteStatement

    fileprivate init(_ statement: SQLiteStatement) { self.statement = statement }

    /// A whole number.
    func integer(_ column: Int) -> Int64? {
        guard sqlite3_column_type(statement, Int32(column)) == SQLITE_INTEGER else { return nil }
        return sqlite3_column_int64(statement, Int32(column))
    }

    /// A text up to its first NUL, as GRDB binds it too; broken UTF-8 is repaired.
    func text(_ column: Int) -> String? {
        guard isText(column), let bytes = sqlite3_column_text(statement, Int32(column)) else { return nil }
        return String(cString: bytes)
    }

    /// An identity, in either case or as this program writes it.
    func id<Subject>(_ column: Int, inLowerCase: Bool = false) -> ID<Subject>? {
        withBytes(column) { text in
            if inLowerCase, text.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }) {
                return nil
            }
            return ID(utf8: text)
        }
    }

    /// A SHA-256 from its hexadecimal digits.
    func digest(_ column: Int) -> Digest? { withBytes(column) { Digest(utf8: $0) } }

    /// Lends the bytes of a text.
    private func withBytes<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Value?) -> Value? {
        guard isText(column), let bytes = sqlite3_column_text(statement, Int32(column)) else { return nil }
        // Sound: the text has so many bytes, and stays until the next step.
        return body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, Int32(column)))))
    }

    /// The row's first column as the log names it; `?` for what is no text.
    var words: String { text(0).map { String($0.prefix(60)) } ?? "?" }

    private func isText(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT }
}

extension Statement {
    /// Runs the statement, and lends each row while the statement stands on it.
    func forEachRow(_ arguments: StatementArguments, _ body: (RowColumns) throws -> Void) throws {
        let columns = RowColumns(sqliteStatement)
        let cursor = try Row.fetchCursor(self, arguments: arguments)
        while try cursor.next() != nil { try body(columns) }
    }
}
