public import Documents
internal import GRDB

/// The files that rows name.
extension SQLiteDocumentStore {
    /// Seeks by the unique index of paths.
    public func files(behind path: String?, limit: Int) throws(DocumentError) -> [Document] {
        try read { table in
            let rows = try Row.fetchAll(
                table.database.cachedStatement(
                    sql: """
                        SELECT \(DocumentRow.columns) FROM documents WHERE object_path > ? ORDER BY object_path LIMIT ?
                        """), arguments: [path ?? "", limit])
            return try table.documents(rows)
        }
    }
}
