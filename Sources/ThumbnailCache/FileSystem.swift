package import Linux

/// The few file operations that a cache consists of: the seam at which tests make the n-th one fail.
///
/// Every path is absolute or relative to the working folder; every error is the kernel's.
package protocol FileSystem: Sendable {
    /// A regular file's bytes; `EFBIG` where it has more than `limit`, `EINVAL` where it is no regular file.
    func read(_ path: String, limit: Int) throws(SystemError) -> FileContents
    /// Writes a new file; `EEXIST` where the name is taken.
    func create(_ path: String, _ bytes: [UInt8]) throws(SystemError)
    /// Appends to a file, which is made where it is missing; one write.
    func append(_ bytes: [UInt8], to path: String) throws(SystemError)
    /// Renames, over what bears the name already.
    func rename(_ path: String, to newPath: String) throws(SystemError)
    /// Removes a file's name.
    func remove(_ path: String) throws(SystemError)
    func makeFolder(_ path: String, isPrivate: Bool) throws(SystemError)
    /// Removes an empty folder.
    func removeFolder(_ path: String) throws(SystemError)
    /// The names in a folder, without `.` and `..`, in no order.
    func names(in path: String) throws(SystemError) -> [String]
    func status(of path: String) throws(SystemError) -> FileStatus
    /// Sets a file's access time (nanoseconds since 1970) and leaves its time of modification.
    func touch(_ path: String, accessed: Int64) throws(SystemError)
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
