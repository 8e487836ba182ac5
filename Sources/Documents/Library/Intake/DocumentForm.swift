internal import Documents
internal import Media
internal import Objects

/// What a document is to be, according to its sender.
struct DocumentForm: Sendable {
    let type: DocumentType
    /// The file's name for people.
    let fileName: String
    /// Checked by `TextRules`.
    let title: String
    /// Checked by `TextRules`.
    let description: String?
    let school: ID<School>?
    /// Any version of the line that the new version joins.
    let predecessor: ID<Document>?

    /// - Parameter title: `nil` for the file's name without its extension.
    /// - Throws: `invalid` for a text.
    init(
        type: DocumentType, fileName: String, title: String?, description: String?, school: ID<School>?,
        predecessor: ID<Document>?
    ) throws(DocumentError) {
        self.type = type
        self.fileName = fileName
        self.title = try TextRules.title(title ?? Self.title(from: fileName))
        self.description = try TextRules.description(description)
        self.school = school
        self.predecessor = predecessor
    }

    private static func title(from fileName: String) -> String {
        let stem = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
        return String((stem.isEmpty ? fileName[...] : stem).prefix(TextRules.longestTitle))
    }
}

extension DocumentLibrary {
    /// Reads the texts of a resumable upload. A new version has the type and title of its document.
    ///
    /// - Throws: `invalid`; `notFound` if the document or the school does not exist.
    func form(_ texts: [String: String], of owner: ID<Person>) throws(DocumentError) -> DocumentForm {
        guard let name = texts["file_name"], !name.isEmpty else {
            throw .invalid(field: "file_name", message: "Choose a file.")
        }
        let predecessor = try predecessor(texts, of: owner)
        guard let type = predecessor?.type ?? texts["type"].flatMap(DocumentType.init(rawValue:)) else {
            throw .invalid(field: "type", message: "Choose a document type.")
        }
        return try DocumentForm(
            type: type, fileName: FileName.shown(name), title: predecessor?.title ?? texts["title"],
            description: texts["description"], school: try Self.school(texts), predecessor: predecessor?.id)
    }

    private func predecessor(_ texts: [String: String], of owner: ID<Person>) throws(DocumentError) -> Document? {
        guard let text = texts["document_id"], !text.isEmpty else { return nil }
        guard let id = ID<Document>(text) else { throw .notFound(.document) }
        return try store.document(id, of: owner)
    }

    private static func school(_ texts: [String: String]) throws(DocumentError) -> ID<School>? {
        guard let text = texts["school_id"], !text.isEmpty else { return nil }
        guard let id = ID<School>(text) else { throw .notFound(.school) }
        return id
    }
}
