internal import CLinux
package import Linux

/// The kernel's file operations.
package struct LinuxFileSystem: FileSystem {
    package init() {}

    /// `O_NOATIME` (open(2)), which headers show only with `_GNU_SOURCE`: the access time is the cache's own measure of
    /// use, so that a verification must not move it.
    private static let keepsAccessTime: Int32 = 0o1_000_000

    /// `UTIME_OMIT` (utimensat(2)), a macro that Swift does not import.
    private static let leaveTime = (1 << 30) - 2

    package func read(_ path: String, limit: Int) throws(SystemError) -> FileContents {
        let file = try open(path)
        let status = try file.status()
        guard status.isRegularFile else { throw SystemError("read", number: EINVAL) }
        guard status.byteCount <= Int64(limit) else { throw SystemError("read", number: EFBIG) }
        return FileContents(bytes: try file.bytes(at: 0, count: Int(status.byteCount)), status: status)
    }

    private func open(_ path: String) throws(SystemError) -> Descriptor {
        // Not blocking, so that a pipe under an entry's name is refused rather than waited for.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
        do throws(SystemError) {
            return try Descriptor.open(path, flags | Self.keepsAccessTime)
        } catch {
            // Only a file's owner may ask for it.
            guard error.number == EPERM else { throw error }
            return try Descriptor.open(path, flags)
        }
    }

    package func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
        try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666).write(bytes)
    }

    package func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
        try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o666).write(bytes)
    }

    package func rename(_ path: String, to newPath: String) throws(SystemError) {
        try checking("rename") { CLinux.rename(path, newPath) }
    }

    package func remove(_ path: String) throws(SystemError) {
        try checking("unlink") { unlink(path) }
    }

    package func makeFolder(_ path: String, isPrivate: Bool) throws(SystemError) {
        try checking("mkdir") { mkdir(path, isPrivate ? 0o700 : 0o777) }
    }

    package func removeFolder(_ path: String) throws(SystemError) {
        try checking("rmdir") { rmdir(path) }
    }

    package func names(in path: String) throws(SystemError) -> [String] { try FolderNames.texts(in: path) }

    package func status(of path: String) throws(SystemError) -> FileStatus { try FileStatus.of(path: path) }

    package func touch(_ path: String, accessed: Int64) throws(SystemError) {
        let times = [
            timespec(tv_sec: Int(accessed / 1_000_000_000), tv_nsec: Int(accessed % 1_000_000_000)),
            timespec(tv_sec: 0, tv_nsec: Self.leaveTime),
        ]
        try checking("utimensat") { utimensat(AT_FDCWD, path, times, 0) }
    }
}
