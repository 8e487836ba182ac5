public import Media

/// The relative path under which a client finds a file: names separated by slashes. It is kept byte for byte.
///
/// The service's own paths have the form `{user}/{type}/{milliseconds}_{file name}`. Others may be any that `init(_:)`
/// accepts. A path is split at the byte `/`, and two paths are equal if their bytes are. A `String` would hide a slash
/// before a combining mark, and treat a composed and a decomposed accent as equal.
public struct ObjectPath: Sendable {
    /// The whole path, without a slash at either end. To compare paths, use `==` of `ObjectPath` or of `utf8`, not of
    /// this text.
    public let text: String

    /// The longest path in bytes, as in S3.
    public static let longest = 1024
    /// The longest name between two slashes in bytes, as on most file systems.
    public static let longestName = 255

    /// The byte between two names.
    package static let separator = UInt8(ascii: "/")

    /// A path from a text, which is validated.
    ///
    /// - Throws: `tooLong`; `invalidPath` with the reason if a name is empty, `.` or `..`, or has a control character
    ///   (Unicode's category Cc).
    public init(_ text: some StringProtocol) throws(ObjectError) {
        let text = String(text)
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .invalidPath("A file's path has a control character in it.")
        }
        for name in text.utf8.split(separator: Self.separator, omittingEmptySubsequences: false) {
            if name.isEmpty || name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) {
                throw .invalidPath("A file's path has an empty name, “.” or “..” in it.")
            }
            guard name.count <= Self.longestName else { throw .tooLong }
        }
        self.text = text
    }

    /// The path of a document's file: `{user}/{type}/{milliseconds}_{file name}`.
    ///
    /// - Parameters:
    ///   - user: the owner's id, which must be one name.
    ///   - milliseconds: the time of the upload since 1970. It gives two files of the same name different paths.
    ///   - fileName: the name as the person gave it; `FileName.safe` makes it safe.
    public init(
        user: String, type: DocumentType, milliseconds: Int64, fileName: String
    ) throws(ObjectError) {
        guard !user.utf8.contains(Self.separator) else { throw .invalidPath("A user's id has a slash in it.") }
        try self.init("\(user)/\(type.rawValue)/\(milliseconds)_\(FileName.safe(fileName))")
    }

    /// Whether the file is in a folder or one of its subfolders.
    public func isBelow(_ folder: String) -> Bool {
        let rest = text.utf8.dropFirst(folder.utf8.count)
        return text.utf8.starts(with: folder.utf8) && rest.first == Self.separator
    }

    /// The names between the slashes.
    public var names: [Substring] { text.utf8.split(separator: Self.separator).map { Substring($0) } }

    /// The name after the last slash: the name of the file itself.
    public var lastName: String { String(names.last!) }
}

extension ObjectPath: Hashable {
    /// Whether both have the same bytes.
    public static func == (left: ObjectPath, right: ObjectPath) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension ObjectPath: Comparable, CustomStringConvertible {
    /// Whether `left` precedes `right`, byte by byte.
    public static func < (left: ObjectPath, right: ObjectPath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// The text for logs, with spaces in place of marks that reorder a line.
    public var description: String { Failure.bounded(text, to: Self.longest) }
}
