internal import CLinux
package import Linux

/// The system calls of Linux.
package struct LinuxObjectFiles: ObjectFiles {
    /// The calls of the running system.
    package init() {}

    /// Opens with `openat(2)`, which refuses a link of that name.
    package func openFolder(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try OpenFolder(folder).open(name, O_RDONLY | O_DIRECTORY)
    }

    /// Creates with `mkdirat(2)`, mode 700.
    package func makeFolder(_ name: String, in folder: Descriptor) throws(SystemError) {
        try OpenFolder(folder).makeFolder(name, mode: 0o700)
    }

    /// Creates with `O_EXCL`, mode 600.
    package func create(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try OpenFolder(folder).open(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    }

    /// Opens without blocking, so that a pipe of that name is refused rather than waited for.
    package func openForWriting(_ name: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try OpenFolder(folder).open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// Opens beneath the folder, without blocking.
    package func openForReading(_ place: String, in folder: Descriptor) throws(SystemError) -> Descriptor {
        try OpenFolder(folder).open(place, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// Locks with `flock(2)`.
    package func lock(_ file: Descriptor) throws(SystemError) {
        try checking("flock") { flock(file.number, LOCK_EX | LOCK_NB) }
    }

    /// Unlocks with `flock(2)`, for all copies of the descriptor.
    package func unlock(_ file: Descriptor) { flock(file.number, LOCK_UN) }

    /// Uses `fstat(2)`.
    package func status(of file: Descriptor) throws(SystemError) -> FileStatus { try file.status() }

    /// Looks beneath the folder; for a link, gives the link's own status.
    package func status(of place: String, in folder: Descriptor) throws(SystemError) -> FileStatus {
        try OpenFolder(folder).status(of: place)
    }

    /// Reads with `pread(2)`.
    package func read(
        _ file: Descriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int { try file.read(into: buffer, at: offset) }

    /// Writes with `pwrite(2)`.
    package func write(
        _ bytes: UnsafeRawBufferPointer, to file: Descriptor, at offset: Int64
    ) throws(SystemError) {
        try file.write(bytes, at: offset)
    }

    /// Truncates with `ftruncate(2)`.
    package func truncate(_ file: Descriptor, to byteCount: Int64) throws(SystemError) {
        try checking("ftruncate") { ftruncate(file.number, off_t(byteCount)) }
    }

    /// Starts with `sync_file_range(2)`.
    package func startWriting(_ file: Descriptor, from offset: Int64, byteCount: Int64) throws(SystemError) {
        try checking("sync_file_range") { clinux_start_writing(file.number, offset, byteCount) }
    }

    /// Sets the times with `futimens(2)`.
    package func touch(_ file: Descriptor) throws(SystemError) {
        try checking("futimens") { futimens(file.number, nil) }
    }

    /// Waits with `fsync(2)`.
    package func sync(_ file: Descriptor) throws(SystemError) {
        try checking("fsync") { fsync(file.number) }
    }

    /// Renames with `renameat(2)`.
    package func rename(
        _ name: String, in folder: Descriptor, to newName: String, in newFolder: Descriptor
    ) throws(SystemError) {
        try checking("renameat") { renameat(folder.number, name, newFolder.number, newName) }
    }

    /// Uses `fstatvfs(3)`.
    package func room(around folder: Descriptor) throws(SystemError) -> (all: Int64, free: Int64) {
        var status = statvfs()
        try checking("fstatvfs") { fstatvfs(folder.number, &status) }
        let unit = Int64(status.f_frsize)
        return (Int64(status.f_blocks) * unit, Int64(status.f_bavail) * unit)
    }

    /// Removes with `unlinkat(2)`.
    package func remove(_ name: String, in folder: Descriptor) throws(SystemError) {
        try OpenFolder(folder).remove(name)
    }

    /// Lists with `readdir(3)`.
    package func contents(of folder: Descriptor) throws(SystemError) -> [FolderNames.Item] {
        try FolderNames.items(in: folder)
    }
}
