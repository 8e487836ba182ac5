internal import Documents
internal import HTTPSyntax
internal import Library
internal import Media
internal import Objects
internal import ThumbnailCache

/// An object of the bucket as clients see it.
struct StoredFile {
    let path: ObjectPath
    let byteCount: Int64
    /// In nanoseconds since 1970.
    let modified: Int64
    /// The version whose row names the object; `nil` for none.
    let document: Document?
    /// What the client said who has sent it.
    let notes: FileNotes

    init(_ status: ObjectStatus, document: Document?, notes: FileNotes) {
        path = status.path
        byteCount = status.byteCount
        modified = status.modified
        self.document = document
        self.notes = notes
    }

    var id: String { Self.id(of: path) }

    /// Objects have no identity of their own: it is made of the path (version 8 of RFC 9562).
    static func id(of path: ObjectPath) -> String {
        var bytes = Array(SHA256.digest(of: path.text.utf8).bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return ID<Document>(bytes: bytes)?.text ?? ""
    }

    /// By content, or where that is not known by time and size.
    var entityTag: EntityTag {
        EntityTag(document.map { String($0.file.digest.hex.prefix(32)) } ?? "\(modified)-\(byteCount)")
    }

    /// The type by content, or by the name where the content was not looked at.
    var mediaType: MediaType {
        if let document { return document.file.mediaType }
        let name = path.lastName.lowercased()
        return Self.types.first { name.hasSuffix($0.key) }?.value ?? MediaType(rawValue: "application/octet-stream")
    }

    private static let types: KeyValuePairs<String, MediaType> = [
        ".pdf": .pdf, ".mp4": .mp4, ".mov": .quickTime, ".avi": MediaType(rawValue: "video/x-msvideo"), ".png": .png,
        ".jpg": .jpeg, ".jpeg": .jpeg, ".webp": .webp, ".gif": .gif, ".txt": .plainText,
        ".csv": MediaType(rawValue: "text/csv"), ".doc": MediaType(rawValue: "application/msword"),
        ".xls": MediaType(rawValue: "application/vnd.ms-excel"),
        ".docx": MediaType(rawValue: "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        ".xlsx": MediaType(rawValue: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ]

    /// The type that browsers are told: nothing that they would run.
    var toldType: String {
        let type = mediaType.rawValue
        return type == "text/html" || type.hasSuffix("xml") ? "text/plain; charset=utf-8" : type
    }

    private var cacheControl: String { notes.cacheControl ?? "no-cache" }

    private var time: String { Instant(microseconds: modified / 1000).description }

    var metadata: JSON {
        .object([
            "eTag": .string(entityTag.text), "size": .integer(byteCount), "mimetype": .string(mediaType.rawValue),
            "cacheControl": .string(cacheControl), "lastModified": .string(time), "contentLength": .integer(byteCount),
            "httpStatusCode": .integer(200),
        ])
    }

    /// An entry of a list, with a name relative to the listed folder.
    func entry(named name: String) -> JSON {
        .object([
            "name": .string(name), "id": .string(id), "updated_at": .string(time), "created_at": .string(time),
            "last_accessed_at": .string(time), "metadata": metadata,
        ])
    }

    /// A removed object.
    func removed(owner: ID<Person>) -> JSON {
        .object([
            "name": .string(path.text), "bucket_id": .string(FileAddresses.bucket), "owner": .string(owner.text),
            "id": .string(id), "updated_at": .string(time), "created_at": .string(time),
            "last_accessed_at": .string(time), "metadata": metadata,
        ])
    }

    /// The answer of `info`.
    var info: JSON {
        .object([
            "id": .string(id), "name": .string(path.text), "version": .string(entityTag.opaque),
            "bucket_id": .string(FileAddresses.bucket), "size": .integer(byteCount),
            "content_type": .string(mediaType.rawValue), "cache_control": .string(cacheControl),
            "etag": .string(entityTag.text), "metadata": notes.metadata ?? .object([]), "last_modified": .string(time),
            "created_at": .string(time),
        ])
    }
}
