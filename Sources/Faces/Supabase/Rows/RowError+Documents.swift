internal import Documents

extension RowError {
    /// An error of the library, in PostgreSQL's words about a table.
    init(_ error: DocumentError, in table: RowTable) {
        switch error {
        case .notFound(let subject):
            let column =
                switch subject {
                case .school: "school_id"
                case .document, .version: "document_id"
                default: "file_url"
                }
            if column == "file_url" {
                self = .check(column, of: table, error.message)
            } else {
                self.init(
                    409, "23503",
                    "insert or update on table \"\(table.name)\" violates foreign key constraint "
                        + "\"\(table.name)_\(column)_fkey\"", details: error.message)
            }
        case .invalid(let field, let message): self = .check(field, of: table, message)
        case .refusedType(let message, _): self = .check("file_type", of: table, message)
        case .tooLarge: self = .check("file_url", of: table, error.message)
        case .overQuota, .tooMany: self.init(413, "54000", error.message)
        case .conflict, .taken, .referenced:
            self.init(
                409, "23505", "duplicate key value violates unique constraint \"\(table.name)_key\"",
                details: error.message)
        case .notAllowed: self.init(403, "42501", error.message)
        case .quarantined: self.init(409, "55000", error.message)
        case .full, .crowded: self.init(503, "53100", error.message)
        case .unavailable(let detail): self = .unavailable(detail: detail)
        }
    }

    static func check(_ column: String, of table: RowTable, _ message: String) -> RowError {
        RowError(
            400, "23514",
            "new row for relation \"\(table.name)\" violates check constraint \"\(table.name)_\(column)_check\"",
            details: message)
    }

    static func null(_ column: String, of table: RowTable) -> RowError {
        RowError(
            400, "23502",
            "null value in column \"\(column)\" of relation \"\(table.name)\" violates not-null constraint")
    }

    /// - Parameter isSignedIn: whether a key with more rights could help.
    static func rowSecurity(_ table: RowTable, isSignedIn: Bool = true) -> RowError {
        RowError(
            isSignedIn ? 403 : 401, "42501", "new row violates row-level security policy for table \"\(table.name)\"")
    }

    static func converting<Value>(
        in table: RowTable, _ body: () throws(DocumentError) -> Value
    ) throws(RowError) -> Value {
        do throws(DocumentError) { return try body() } catch { throw RowError(error, in: table) }
    }
}
