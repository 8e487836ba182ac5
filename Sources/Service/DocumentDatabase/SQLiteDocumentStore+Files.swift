public import Documents
internal import GRDB

/// The files that rows name.
extension SQLiteDocumentStore {
    /// Seeks by the unique index of paths.
    public func files(behind path: String?, limit: Int) throws(DocumentError) -> [Document] {
        try read { table in
            try table.documents("WHERE object_path > ? ORDER BY object_path LIMIT ?", [path ?? "", limit])
        }
    }
}
