internal import Media
internal import ThumbnailCache

/// The keys below a store's prefix.
struct BucketKeys: Sendable {
    /// Empty, or ending in a slash.
    let prefix: String

    /// The longest key that S3 accepts, in bytes.
    private static let longest = 1024

    init(prefix: String) {
        let names = prefix.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        self.prefix = names.isEmpty ? "" : names.joined(separator: "/") + "/"
    }

    /// The prefix of the objects.
    var objects: String { "\(prefix)objects/" }
    /// The prefix of the pictures that machines share; each content has a folder.
    var pictures: String { "\(prefix)\(SharedPictureFile.folder)/" }
    /// The prefix of the pieces of incoming files.
    var incoming: String { "\(prefix)incoming/" }

    func object(_ id: ObjectID) -> String { "\(objects)\(id.folder)/\(id)" }

    /// The object of a key; `nil` for a foreign key.
    func id(ofKey key: String) -> ObjectID? {
        guard let id = ObjectID(rawValue: String(key.suffix(32))), object(id) == key else { return nil }
        return id
    }

    /// The prefix of the keys of a file's pieces.
    func pieces(of id: ObjectID) -> String { "\(incoming)\(id)/" }

    /// The key of a piece of an incoming file.
    func piece(_ name: String, of id: ObjectID) -> String { "\(pieces(of: id))\(name)" }

    /// The name of the piece with a key.
    func name(ofPiece key: String) -> String { key.split(separator: "/").last.map(String.init) ?? "" }

    /// The key of a file that another program has stored under its path.
    ///
    /// - Throws: `missing` if S3 does not accept the path as a key.
    func foreign(_ path: ObjectPath) throws(ObjectError) -> String {
        let key = "\(prefix)files/\(path.text)"
        guard key.utf8.count <= Self.longest else { throw .missing }
        return key
    }
}
