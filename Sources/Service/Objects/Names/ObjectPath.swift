public import Media

/// The path of an object: names with slashes between, relative, in Unicode's normal form C.
///
/// The service's own have the form `{user}/{type}/{milliseconds}_{file name}`; others may be any that `init(_:)` takes.
public struct ObjectPath: Hashable, Sendable {
    /// The whole path, without a slash at either end.
    public let text: String

    /// The longest path in bytes, as in S3.
    public static let longest = 1024
    /// The longest name between two slashes in bytes, as on most file systems.
    public static let longestName = 255

    /// Brings a text to normal form C, and checks it.
    ///
    /// - Throws: `tooLong`; `invalidPath` with the reason where a name is empty, `.` or `..`, or has a character that cannot be
    ///   shown (NUL, other control characters, marks of direction).
    public init(_ text: some StringProtocol) throws(ObjectError) {
        let text = String(text).inNormalForm
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        guard text.unicodeScalars.allSatisfy(Failure.isPrintable) else {
            throw .invalidPath("A file's path has characters that cannot be shown.")
        }
        for name in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
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
    ///   - user: the owner's id: one name.
    ///   - milliseconds: the time of the upload since 1970; with it two files of one name have two paths.
    ///   - fileName: the name as the person gave it; `FileName.safe` makes it harmless.
    public init(
        user: String, type: DocumentType, milliseconds: Int64, fileName: String
    ) throws(ObjectError) {
        guard !user.utf8.contains(UInt8(ascii: "/")) else { throw .invalidPath("A user's id has a slash in it.") }
        try self.init("\(user)/\(type.rawValue)/\(milliseconds)_\(FileName.safe(fileName))")
    }

    /// The folder of the files by which people search for jobs, beside the folders of users.
    public static let resumes = "resumes"

    /// Whether the file belongs to a search for jobs and to no document.
    public var isOfSearch: Bool { text.hasPrefix("\(Self.resumes)/") }

    /// The names between the slashes.
    public var names: [Substring] { text.split(separator: "/") }

    /// The name behind the last slash: that of the file itself.
    public var lastName: String { String(names.last!) }
}

extension ObjectPath: Comparable, CustomStringConvertible {
    /// Whether `left` stands before `right`, byte by byte.
    public static func < (left: ObjectPath, right: ObjectPath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// The same as `text`, for logs.
    public var description: String { text }
}
