public import Media

/// The files behind `SharedPictures`, for their upkeep. A driver is used by one thread at a time; its calls block.
public protocol SharedPictureFiles {
    /// Some of the files. The files of one content are consecutive.
    ///
    /// - Parameters:
    ///   - digest: the content whose files are wanted; `nil` for all.
    ///   - place: `next` of the previous call; `nil` for the first files.
    /// - Returns: the files, and where the list continues; `nil` at its end.
    /// - Throws: `unavailable`.
    func list(_ digest: Digest?, from place: String?) throws(Failure) -> (files: [SharedPictureFile], next: String?)

    /// The bytes of a file; `nil` if it no longer exists.
    ///
    /// - Throws: `unavailable`.
    func read(_ name: String) throws(Failure) -> [UInt8]?

    /// Removes a file, if it exists.
    ///
    /// - Throws: `unavailable`.
    func remove(_ name: String) throws(Failure)
}

extension SharedPictureFiles {
    /// Calls `body` with all files of a content, or of all contents.
    func walk(
        _ digest: Digest? = nil, _ body: (SharedPictureFile) throws(Failure) -> Void
    ) throws(Failure) {
        var place: String?
        repeat {
            let part = try list(digest, from: place)
            for file in part.files where file.name != SharedPictureFile.probe { try body(file) }
            place = part.next
        } while place != nil
    }
}

/// A file in which machines share a rendition or facts, as its store lists it.
public struct SharedPictureFile: Hashable, Sendable {
    /// In the folder of shared pictures: `DIGEST/NAME`.
    public let name: String
    /// As the store states it, unchecked.
    public let byteCount: Int64
    /// When it was written, in nanoseconds since 1970.
    public let modified: Int64

    /// A file that a store lists.
    public init(name: String, byteCount: Int64, modified: Int64) {
        self.name = name
        self.byteCount = byteCount
        self.modified = modified
    }

    /// The folder of shared pictures, beside the files of documents.
    public static let folder = "pictures"
    /// The file that is written to test whether pictures can be stored.
    public static let probe = "probe"
    /// The maximum number of bytes read from one file.
    public static let longest = 64 << 20
}

// What the names mean.
extension SharedPictureFile {
    enum Content: Equatable {
        case rendition(recipe: String)
        case facts
    }

    /// The content that the file belongs to, and its part of it; `nil` if machines share no file with such a name.
    var meaning: (digest: Digest, content: Content)? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, CacheLayout.isHex(parts[0], count: 2 * Digest.byteCount),
            let digest = Digest(hex: parts[0])
        else { return nil }
        if parts[1] == Self.factsName { return (digest, .facts) }
        let recipe = parts[1].dropLast(Self.renditionSuffix.count)
        guard parts[1].hasSuffix(Self.renditionSuffix), CacheLayout.isRecipe(recipe) else { return nil }
        return (digest, .rendition(recipe: String(recipe)))
    }

    /// The name of a rendition beside the others of its content.
    static func renditionName(_ recipe: Recipe) -> String { recipe.name + renditionSuffix }

    /// The name of the facts beside the renditions of their content.
    static let factsName = "facts.json"

    private static let renditionSuffix = ".picture"
}
