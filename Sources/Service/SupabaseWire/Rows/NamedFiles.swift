internal import Documents
internal import Library
internal import Media
internal import Objects

/// The files that the new rows of a request name. They are read before the rows are changed, while no other change has to wait.
struct NamedFiles {
    private let files: [ObjectPath: Result<(file: Document.File, facts: Facts), DocumentError>]

    /// For changes that name none.
    init() { files = [:] }

    /// Reads the files of rows.
    ///
    /// - Parameter owner: the person to whom a row is added. A file of another person's is not read.
    init(_ rows: [RowInput], in library: DocumentLibrary, owner: (RowInput) -> String?) {
        var files: [ObjectPath: Result<(file: Document.File, facts: Facts), DocumentError>] = [:]
        for row in rows {
            guard let path = Self.path(row), path.owner?.text == owner(row), files[path] == nil else {
                continue
            }
            files[path] = Result { () throws(DocumentError) in try library.describe(path) }
        }
        self.files = files
    }

    /// The path in a row's `file_url`; `nil` where it is no address of a file.
    static func path(_ row: RowInput) -> ObjectPath? {
        row.text("file_url").flatMap(FileAddresses.path).flatMap { try? ObjectPath($0) }
    }

    /// What a file is.
    ///
    /// - Throws: why it cannot be read; `notFound` for one that was not among the rows.
    func file(at path: ObjectPath) throws(DocumentError) -> (file: Document.File, facts: Facts) {
        guard let file = files[path] else { throw .notFound(.document) }
        return try file.get()
    }
}
