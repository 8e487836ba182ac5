public import CLinux

/// An open file descriptor, closed when the last reference to this object is released.
public final class Descriptor: Sendable {
    /// The descriptor's number; valid while this object is alive.
    public let number: Int32

    /// Takes over an open descriptor.
    public init(owning number: Int32) {
        precondition(number >= 0, "a descriptor is not negative")
        self.number = number
    }

    deinit { close(number) }

    /// `open(2)`, close-on-exec.
    public static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) -> Descriptor {
        Descriptor(owning: try checking("open") { clinux_open(path, flags | O_CLOEXEC, mode) })
    }

    /// The same for a path of any bytes.
    public static func open(
        path: [UInt8], _ flags: Int32, mode: mode_t = 0o600
    ) throws(SystemError) -> Descriptor {
        let path = terminated(path)
        return Descriptor(owning: try checking("open") { clinux_open(path, flags | O_CLOEXEC, mode) })
    }

    /// A second descriptor of the same open file, close-on-exec.
    public func duplicate() throws(SystemError) -> Descriptor {
        Descriptor(owning: try checking("dup") { clinux_fcntl(number, F_DUPFD_CLOEXEC, 0) })
    }

    /// The file's status by `fstat(2)`.
    public func status() throws(SystemError) -> FileStatus {
        var status = stat()
        try checking("fstat") { fstat(number, &status) }
        return FileStatus(status)
    }
}

extension Descriptor {
    /// Reads up to `buffer.count` bytes at `offset`; fewer only at the end of the file. The position does not move.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = try checking("pread") {
                pread(number, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Up to `count` bytes at `offset`; fewer only at the end of the file.
    public func bytes(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            do throws(SystemError) {
                done = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all of `bytes` at the position.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            done += try checking("write") { CLinux.write(number, bytes.baseAddress! + done, bytes.count - done) }
        }
    }

    /// Writes all of `bytes` at an offset. The position does not move.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let count = try checking("pwrite") {
                pwrite(number, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
            }
            if count == 0 { throw SystemError("pwrite", number: ENOSPC) }
            done += count
        }
    }

    /// Writes all of `bytes` at the position.
    public func write(_ bytes: [UInt8]) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            let rest = bytes[done...]
            done += try checking("write") {
                rest.withUnsafeBytes { CLinux.write(number, $0.baseAddress, $0.count) }
            }
        }
    }

    /// Reads from the position to the end of a file or pipe; `nil` if there are more than `limit` bytes.
    public func readAll(limit: Int) throws(SystemError) -> [UInt8]? {
        var all: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try checking("read") { CLinux.read(number, &part, part.count) }
            if count == 0 { return all }
            if all.count + count > limit { return nil }
            all += part[..<count]
        }
    }
}

/// The status of a file (stat(2)).
public struct FileStatus: Hashable, Sendable {
    /// The number of the file system, `st_dev`.
    public let device: UInt64
    /// The number of the file within its file system, `st_ino`.
    public let inode: UInt64
    /// File type and permissions, `st_mode`.
    public let mode: UInt32
    /// The user that owns the file.
    public let owner: UInt32
    /// The length of a regular file.
    public let byteCount: Int64
    /// When the contents last changed, in nanoseconds since 1970, as for the other times. Users can set any time,
    /// thousands of years away: times are clamped to 1824 and 2116, so that differences fit.
    public let modified: Int64
    /// When contents or metadata last changed, `st_ctim`; programs cannot set it.
    public let changed: Int64
    /// When the file was last read, `st_atim`, if the mount records it.
    public let accessed: Int64
    /// Bytes that the file occupies on disk.
    public let allocatedByteCount: Int64

    /// Whether both are the status of one file, perhaps at different times.
    public func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        mode = status.st_mode
        owner = status.st_uid
        byteCount = Int64(status.st_size)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
        accessed = Self.nanoseconds(status.st_atim)
        allocatedByteCount = Int64(status.st_blocks) * 512
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        let furthest = Int64.max / 2
        let seconds = min(max(Int64(time.tv_sec), -furthest / 1_000_000_000), furthest / 1_000_000_000)
        return seconds * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Whether the mode states a regular file.
    public var isRegularFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
    /// Whether the mode states a directory.
    public var isDirectory: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
    /// Whether the mode states a symbolic link.
    public var isLink: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFLNK) }
    /// Whether every user of the machine may write to the file.
    public var isWritableByAll: Bool { mode & 0o002 != 0 }
    /// Whether anyone but the owner may write to it, according to the mode, whose group bits hold an access list's
    /// mask.
    public var isWritableByOthers: Bool { mode & 0o022 != 0 }

    /// The status of a path by `stat(2)`, which follows links.
    public static func of(path: String) throws(SystemError) -> FileStatus {
        var status = stat()
        try checking("stat") { stat(path, &status) }
        return FileStatus(status)
    }

    /// The same for a path of any bytes.
    public static func of(path: [UInt8]) throws(SystemError) -> FileStatus {
        var status = stat()
        let path = terminated(path)
        try checking("stat") { stat(path, &status) }
        return FileStatus(status)
    }

    /// The status of a path by `lstat(2)`: of a link, the link's own.
    public static func of(linkPath path: String) throws(SystemError) -> FileStatus {
        var status = stat()
        try checking("lstat") { lstat(path, &status) }
        return FileStatus(status)
    }

    /// Whether this is the same file with the same content, as far as the kernel tells: device, inode, size, both
    /// times.
    public func isSameVersion(as other: FileStatus) -> Bool {
        device == other.device && inode == other.inode && byteCount == other.byteCount
            && modified == other.modified && changed == other.changed
    }
}

/// A path as system calls take it.
package func terminated(_ path: some Collection<UInt8>) -> [CChar] { path.map(CChar.init(bitPattern:)) + [0] }
