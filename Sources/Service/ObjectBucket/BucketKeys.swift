internal import Objects
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

    /// Where the objects lie, each at its path.
    var files: String { "\(prefix)files/" }
    /// Where the pictures lie that machines share, each content in a folder.
    var pictures: String { "\(prefix)\(SharedPictureFile.folder)/" }
    /// Where files that arrive have their records.
    var incoming: String { "\(prefix)incoming/" }

    /// The key of an object.
    ///
    /// - Throws: `tooLong`; `invalidPath` for a path with a backslash, which some stores turn into a slash.
    func file(_ path: ObjectPath) throws(ObjectError) -> String {
        guard !path.text.utf8.contains(UInt8(ascii: "\\")) else {
            throw .invalidPath("A file's path has a backslash in it.")
        }
        let key = files + path.text
        guard key.utf8.count <= Self.longest else { throw .tooLong }
        return key
    }

    /// The path of an object; `nil` for the key of somebody else's.
    func path(ofKey key: String) -> ObjectPath? {
        guard key.utf8.starts(with: files.utf8) else { return nil }
        let text = String(decoding: key.utf8.dropFirst(files.utf8.count), as: UTF8.self)
        // Another program's object may have a name that is no path.
        return try? ObjectPath(text)
    }

    /// The record of a file that arrives.
    func record(_ id: IncomingID) -> String { "\(incoming)\(id)" }

    /// The file of an arrival, put together of its parts, before it has a path.
    func received(_ id: IncomingID) -> String { "\(prefix)received/\(id)" }

    /// Where the parts of an arrival become a file.
    func data(_ record: ArrivalRecord, _ id: IncomingID) -> String {
        record.path.map { files + $0.text } ?? received(id)
    }

    /// The sums of an object that is too large to have them in its metadata.
    func sums(_ id: String) -> String { "\(prefix)sums/\(id)" }

    /// The object by which the store's order of names is found out.
    var order: String { "\(prefix)order/" }
}
