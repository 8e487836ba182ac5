package import Linux

/// The file operations that a cache needs: tests use an implementation whose n-th operation fails.
///
/// Places are paths below the cache's folder, reached without following links. Errors are the kernel's.
package protocol FileSystem: Sendable {
    /// Creates the cache's folder and the folders above it; `false` if it existed.
    func makeRoot(_ root: CacheRoot) throws(SystemError) -> Bool
    /// A regular file's bytes; `EFBIG` if it has more than `limit`, `EINVAL` if it is not a regular file.
    func read(_ place: String, in root: CacheRoot, limit: Int) throws(SystemError) -> FileContents
    /// Writes a new file; `EEXIST` if the name is taken.
    func create(_ place: String, in root: CacheRoot, _ bytes: [UInt8]) throws(SystemError)
    /// Appends to a file, which is created if it is missing; one write.
    func append(_ bytes: [UInt8], to place: String, in root: CacheRoot) throws(SystemError)
    /// Renames a file or folder, over a file that already has the name.
    func rename(_ place: String, in root: CacheRoot, to newPlace: String) throws(SystemError)
    /// Removes a file's name.
    func remove(_ place: String, in root: CacheRoot) throws(SystemError)
    /// Creates a folder, which only its owner may enter if it is private; `EEXIST` if the name is taken.
    func makeFolder(_ place: String, in root: CacheRoot, isPrivate: Bool) throws(SystemError)
    /// Removes an empty folder.
    func removeFolder(_ place: String, in root: CacheRoot) throws(SystemError)
    /// A folder's items, unordered; links are items themselves.
    func contents(of place: String, in root: CacheRoot) throws(SystemError) -> [FolderItem]
    /// The status of a file, folder or link; an empty place means the cache's folder.
    func status(of place: String, in root: CacheRoot) throws(SystemError) -> FileStatus
    /// Sets a file's access time (nanoseconds since 1970) and keeps its modification time.
    func touch(_ place: String, in root: CacheRoot, accessed: Int64) throws(SystemError)
}

/// An item of a folder: a file, a folder or a link.
package struct FolderItem: Sendable {
    /// Bytes that are not UTF-8 are replaced: such a name is not one of the cache's.
    package let name: String
    /// The status of the link itself if the item is a link.
    package let status: FileStatus
}

/// A file's bytes with its status.
package struct FileContents: Sendable {
    /// The whole content.
    package let bytes: [UInt8]
    /// The status before the bytes were read.
    package let status: FileStatus
}
