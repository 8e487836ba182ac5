internal import Documents
internal import HTTPSyntax
internal import Library
internal import Media

/// The fields and the file of an upload, read as they arrive. Used by one request.
final class UploadForm: @unchecked Sendable {
    /// Where the file's bytes go.
    let intake: Intake
    private var fields: [String: String] = [:]
    private var field: (name: String, bytes: [UInt8])?
    private var isInFile = false
    private var hasFile = false

    private static let known: Set<String> = ["type", "title", "description", "school_id", "version"]

    private let predecessor: Document?

    /// - Parameter predecessor: the document that gets a new version: the file is checked against its type from the
    ///   first bytes on.
    init(_ intake: Intake, predecessor: Document?) throws {
        self.intake = intake
        self.predecessor = predecessor
        if let predecessor { try intake.setType(predecessor.type) }
    }

    /// Takes the fields of a query string; the body is then the file.
    func take(_ items: QueryItems) throws {
        for item in items.items {
            if item.name == "file_name" {
                try beginFile(item.value)
            } else {
                try set(item.name, item.value)
            }
        }
        guard hasFile else {
            throw RequestError(message: "Name the file: ?file_name=….", field: "file_name")
        }
    }

    /// Processes one step of a form.
    func take(_ event: MultipartParser.Event) throws {
        switch event {
        case .began(let header):
            if header.name == "file" {
                try beginFile(header.fileName ?? "")
                isInFile = true
            } else {
                field = (header.name, [])
            }
        case .bytes(let bytes):
            if isInFile {
                try bytes.withUnsafeBytes { try intake.append($0) }
            } else {
                field?.bytes += bytes
            }
        case .ended:
            isInFile = false
            guard let ended = field else { return }
            field = nil
            guard let text = String(validating: ended.bytes, as: UTF8.self) else {
                throw RequestError(message: "This field is not valid UTF-8.", field: ended.name)
            }
            try set(ended.name, text)
        }
    }

    private func beginFile(_ name: String) throws {
        guard !hasFile else { throw RequestError(message: "Send one file at a time.", field: "file") }
        hasFile = true
        try intake.setFileName(name)
    }

    private func set(_ name: String, _ value: String) throws {
        guard Self.known.contains(name) else {
            throw RequestError(message: "Unknown field.", field: String(name.prefix(64)))
        }
        fields[name] = value
        if name == "type" {
            guard let type = DocumentType(rawValue: value) else {
                throw RequestError(message: "Choose a document type.", field: "type")
            }
            guard predecessor.map({ $0.type == type }) ?? true else {
                throw RequestError(message: "A new version must have the type of the document.", field: "type")
            }
            try intake.setType(type)
        }
    }

    /// Stores the document that the form describes.
    func finish(by uploader: ID<Person>) throws -> Document {
        guard hasFile else { throw RequestError(message: "Choose a file.", field: "file") }
        var school: ID<School>?
        if let text = fields["school_id"], !text.isEmpty {
            guard let id = ID<School>(text) else { throw DocumentError.notFound(.school) }
            school = id
        }
        return try intake.finish(
            by: uploader, title: predecessor?.title ?? fields["title"], description: fields["description"],
            school: school, predecessor: predecessor?.id)
    }
}
