internal import Documents
internal import HTTPSyntax
internal import Hashing
internal import Library
internal import Media
internal import Objects

/// An object of the bucket as clients see it.
struct StoredFile {
    let object: StoredObject
    let path: ObjectPath

    init(_ object: StoredObject, at path: ObjectPath) {
        self.object = object
        self.path = path
    }

    var id: String { Self.id(of: path) }

    /// The ID that clients get is made of the path (version 8 of RFC 9562).
    static func id(of path: ObjectPath) -> String {
        var bytes = Array(SHA256.digest(of: path.text.utf8).bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return ID<Document>(bytes: bytes)?.text ?? ""
    }

    /// In nanoseconds since 1970.
    var modified: Int64 { object.stored.microseconds * 1000 }

    var entityTag: EntityTag { EntityTag(String(object.digest.hex.prefix(32))) }

    /// The type that browsers get: nothing that they would run.
    var toldType: String {
        let type = object.mediaType.rawValue
        return type == "text/html" || type.hasSuffix("xml") ? "text/plain; charset=utf-8" : type
    }

    private var cacheControl: String { object.notes.cacheControl ?? "no-cache" }

    private var time: String { object.stored.description }

    var metadata: JSON {
        .object([
            "eTag": .string(entityTag.text), "size": .integer(object.byteCount),
            "mimetype": .string(object.mediaType.rawValue),
            "cacheControl": .string(cacheControl), "lastModified": .string(time),
            "contentLength": .integer(object.byteCount),
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
            "bucket_id": .string(FileAddresses.bucket), "size": .integer(object.byteCount),
            "content_type": .string(object.mediaType.rawValue), "cache_control": .string(cacheControl),
            "etag": .string(entityTag.text), "metadata": object.notes.metadata ?? .object([]),
            "last_modified": .string(time),
            "created_at": .string(time),
        ])
    }
}
