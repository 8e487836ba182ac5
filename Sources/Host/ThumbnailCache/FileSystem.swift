package import Linux

/// The few file operations that a cache consists of: the seam at which tests make the n-th one fail.
///
/// Every place is below the cache's folder, is reached without following links, and every error is the kernel's.
package protocol FileSystem: Sendable {
    /// Makes the cache's folder and those above it; `false` where it was there.
    func makeRoot(_ root: CacheRoot) throws(SystemError) -> Bool
    /// A regular file's bytes; `EFBIG` where it has more than `limit`, `EINVAL` where it is no regular file.
    func read(_ place: String, in root: CacheRoot, limit: Int) throws(SystemError) -> FileContents
    /// Writes a new file; `EEXIST` where the name is taken.
    func create(_ place: String, in root: CacheRoot, _ bytes: [UInt8]) throws(SystemError)
    /// Appends to a file, which is made where it is missing; one write.
    func append(_ bytes: [UInt8], to place: String, in root: CacheRoot) throws(SystemError)
    /// Renames, over what bears the name already.
    func rename(_ place: String, in root: CacheRoot, to newPlace: String) throws(SystemError)
    /// Removes a file's name.
    func remove(_ place: String, in root: CacheRoot) throws(SystemError)
    func makeFolder(_ place: String, in root: CacheRoot, isPrivate: Bool) throws(SystemError)
    /// Removes an empty folder.
    func removeFolder(_ place: String, in root: CacheRoot) throws(SystemError)
    /// What lies in a folder, links themselves, in no order.
    func contents(of place: String, in root: CacheRoot) throws(SystemError) -> [FolderItem]
    func status(of place: String, in root: CacheRoot) throws(SystemError) -> FileStatus
    /// Sets a file's access time (nanoseconds since 1970) and leaves its time of modification.
    func touch(_ place: String, in root: CacheRoot, accessed: Int64) throws(SystemError)
}

/// A name in a folder.
package struct FolderItem: Sendable {
    /// What is no UTF-8 is replaced: such a name is none of the cache's.
    package let name: String
    package let status: FileStatus
}

/// A file as it was read.
package struct FileContents: Sendable {
    package let bytes: [UInt8]
    package let status: FileStatus

    package init(bytes: [UInt8], status: FileStatus) {
        self.bytes = bytes
        self.status = status
    }
}
