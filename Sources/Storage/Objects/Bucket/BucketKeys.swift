internal import Media
internal import ThumbnailCache

/// The keys below a store's prefix.
struct BucketKeys: Sendable {
    /// Empty, or with a slash at its end.
    let prefix: String

    /// The longest key that S3 takes, in bytes.
    private static let longest = 1024

    init(prefix: String) {
        let names = prefix.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        self.prefix = names.isEmpty ? "" : names.joined(separator: "/") + "/"
    }

    /// Where the objects lie.
    var objects: String { "\(prefix)objects/" }
    /// Where the pictures lie that machines share, each content in a folder.
    var pictures: String { "\(prefix)\(SharedPictureFile.folder)/" }
    /// Where the pieces of files that arrive lie.
    var incoming: String { "\(prefix)incoming/" }

    func object(_ id: ObjectID) -> String { "\(objects)\(id.folder)/\(id)" }

    /// The object of a key; `nil` for the key of somebody else's.
    func id(ofKey key: String) -> ObjectID? {
        guard let id = ObjectID(rawValue: String(key.suffix(32))), object(id) == key else { return nil }
        return id
    }

    /// What the keys of a file's pieces begin with.
    func pieces(of id: ObjectID) -> String { "\(incoming)\(id)/" }

    /// A piece of a file that arrives.
    func piece(_ name: String, of id: ObjectID) -> String { "\(pieces(of: id))\(name)" }

    /// The name of the piece of a key.
    func name(ofPiece key: String) -> String { key.split(separator: "/").last.map(String.init) ?? "" }

    /// The key of a file that another program has stored under its path.
    ///
    /// - Throws: `missing` for a path that S3 takes no key of.
    func foreign(_ path: ObjectPath) throws(ObjectError) -> String {
        let key = "\(prefix)files/\(path.text)"
        guard key.utf8.count <= Self.longest else { throw .missing }
        return key
    }
}
