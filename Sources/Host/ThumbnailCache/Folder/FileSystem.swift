package import Linux

/// The file operations that a cache needs: tests put an implementation here whose n-th operation fails.
///
/// Places are paths below the cache's folder, reached without following links. Errors are the kernel's.
package protocol FileSystem: Sendable {
    /// Makes the cache's folder and those above it; `false` where it was there.
    func makeRoot(_ root: CacheRoot) throws(SystemError) -> Bool
    /// A regular file's bytes; `EFBIG` where it has more than `limit`, `EINVAL` where it is no regular file.
    func read(_ place: String, in root: CacheRoot, limit: Int) throws(SystemError) -> FileContents
    /// Writes a new file; `EEXIST` where the name is taken.
    func create(_ place: String, in root: CacheRoot, _ bytes: [UInt8]) throws(SystemError)
    /// Appends to a file, which is made where it is missing; one write.
    func append(_ bytes: [UInt8], to place: String, in root: CacheRoot) throws(SystemError)
    /// Renames a file or folder, over a file that bears the name already.
    func rename(_ place: String, in root: CacheRoot, to newPlace: String) throws(SystemError)
    /// Removes a file's name.
    func remove(_ place: String, in root: CacheRoot) throws(SystemError)
    /// Makes a folder, which only its owner may enter where it is private; `EEXIST` where the name is taken.
    func makeFolder(_ place: String, in root: CacheRoot, isPrivate: Bool) throws(SystemError)
    /// Removes an empty folder.
    func removeFolder(_ place: String, in root: CacheRoot) throws(SystemError)
    /// A folder's items, in no order; links are items themselves.
    func contents(of place: String, in root: CacheRoot) throws(SystemError) -> [FolderItem]
    /// The status of a file, folder or link; an empty place stands for the cache's folder.
    func status(of place: String, in root: CacheRoot) throws(SystemError) -> FileStatus
    /// Sets a file's access time (nanoseconds since 1970) and leaves its time of modification.
    func touch(_ place: String, in root: CacheRoot, accessed: Int64) throws(SystemError)
}

/// An item of a folder: a file, a folder or a link.
package struct FolderItem: Sendable {
    /// Bytes that are no UTF-8 are replaced: such a name is none of the cache's.
    package let name: String
    /// Of the link itself, where it is one.
    package let status: FileStatus
}

/// A file's bytes with its status.
package struct FileContents: Sendable {
    /// The whole content.
    package let bytes: [UInt8]
    /// As it was before the bytes were read.
    package let status: FileStatus
}
