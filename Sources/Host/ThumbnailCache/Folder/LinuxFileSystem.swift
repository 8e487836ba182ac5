internal import CLinux
package import Linux

/// The file operations of Linux.
package struct LinuxFileSystem: FileSystem {
    /// File operations of the running system.
    package init() {}

    /// `O_NOATIME` (open(2)), which headers declare only with `_GNU_SOURCE`. The access time is the cache's measure of
    /// use, which a verification must not change.
    private static let keepsAccessTime: Int32 = 0o1_000_000

    /// Creates the cache's folder with `mkdir(2)`, private.
    package func makeRoot(_ root: CacheRoot) throws(SystemError) -> Bool { try root.make() }

    /// Reads without changing the access time, if this user may request that.
    package func read(_ place: String, in root: CacheRoot, limit: Int) throws(SystemError) -> FileContents {
        let file = try open(place, in: try root.folder())
        let status = try file.status()
        guard status.isRegularFile else { throw SystemError("read", number: EINVAL) }
        guard status.byteCount <= Int64(limit) else { throw SystemError("read", number: EFBIG) }
        return FileContents(bytes: try file.bytes(at: 0, count: Int(status.byteCount)), status: status)
    }

    private func open(_ place: String, in folder: OpenFolder) throws(SystemError) -> Descriptor {
        // Non-blocking, so that a pipe under an entry's name is refused rather than waited for.
        let flags = O_RDONLY | O_NONBLOCK
        do throws(SystemError) {
            return try folder.open(place, flags | Self.keepsAccessTime)
        } catch {
            // Only a file's owner may request it.
            guard error.number == EPERM else { throw error }
            return try folder.open(place, flags)
        }
    }

    /// Creates with `O_EXCL`.
    package func create(_ place: String, in root: CacheRoot, _ bytes: [UInt8]) throws(SystemError) {
        try root.folder().make(place, O_WRONLY | O_CREAT | O_EXCL, for: root.groupRights).write(bytes)
    }

    /// Appends with `O_APPEND`, so that two processes never overwrite each other.
    package func append(_ bytes: [UInt8], to place: String, in root: CacheRoot) throws(SystemError) {
        // A pipe under this name is refused, not waited for.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK
        let file = try root.folder().make(place, flags, for: root.groupRights)
        guard try file.status().isRegularFile else { throw SystemError("write", number: EINVAL) }
        try file.write(bytes)
    }

    /// Renames with `renameat(2)`.
    package func rename(_ place: String, in root: CacheRoot, to newPlace: String) throws(SystemError) {
        try root.folder().rename(place, to: newPlace)
    }

    /// Removes with `unlinkat(2)`.
    package func remove(_ place: String, in root: CacheRoot) throws(SystemError) {
        try root.folder().remove(place)
    }

    /// Creates a folder with `mkdirat(2)`, mode 700 if it is private, otherwise with the rights of the cache's group.
    package func makeFolder(_ place: String, in root: CacheRoot, isPrivate: Bool) throws(SystemError) {
        try root.folder().makeFolder(place, for: isPrivate ? .none : root.groupRights)
    }

    /// Removes with `unlinkat(2)`, which refuses a folder with items.
    package func removeFolder(_ place: String, in root: CacheRoot) throws(SystemError) {
        try root.folder().removeFolder(place)
    }

    /// Lists a folder with `fstatat(2)` on each item.
    package func contents(of place: String, in root: CacheRoot) throws(SystemError) -> [FolderItem] {
        try root.folder().contents(of: place).map {
            FolderItem(name: String(decoding: $0.name, as: UTF8.self), status: $0.status)
        }
    }

    /// Queries with `fstatat(2)`.
    package func status(of place: String, in root: CacheRoot) throws(SystemError) -> FileStatus {
        try root.folder().status(of: place)
    }

    /// Sets the access time with `utimensat(2)`.
    package func touch(_ place: String, in root: CacheRoot, accessed: Int64) throws(SystemError) {
        try root.folder().touch(place, accessed: accessed)
    }
}
