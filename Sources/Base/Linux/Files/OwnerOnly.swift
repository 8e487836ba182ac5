public import CLinux

/// Files and folders that only their user may use, whatever the umask: 0600, and 0700 for folders.
///
/// `open(2)` and `mkdir(2)` clear the umask's bits in the given mode, so a mode without rights for others stays as it
/// is. Files that a library makes take the mode of a file made here first, as SQLite's logs take the mode of their
/// database.
public enum OwnerOnly {
    /// The mode of a file.
    public static let file: mode_t = 0o600
    /// The mode of a folder.
    public static let folder: mode_t = 0o700

    /// Makes an empty file if there is none, without waiting; narrows an existing file.
    ///
    /// An existing file is not opened: closing a second descriptor of a database would release this process's locks on
    /// it.
    public static func makeFile(_ path: String) {
        if (try? Descriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: file)) == nil { narrow(path) }
    }

    /// Makes a folder in an existing parent; narrows an existing folder.
    ///
    /// - Returns: whether it was made.
    @discardableResult
    public static func makeFolder(_ path: String) throws(SystemError) -> Bool {
        if mkdir(path, folder) == 0 { return true }
        guard clinux_errno() == EEXIST else { throw SystemError.last("mkdir \(path)") }
        narrow(path)
        return false
    }

    /// Removes the rights of group and others from a file or folder of this user that an older version or another
    /// program made. Files of other users stay as they are.
    public static func narrow(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else { return }
        _ = chmod(path, status.st_mode & 0o7700)
    }

    /// Makes or narrows an SQLite database, and narrows the files beside it.
    ///
    /// - Parameter endings: the endings of further files beside it.
    public static func makeDatabase(_ path: String, endings: [String] = []) {
        makeFile(path)
        for ending in ["-wal", "-shm", "-journal"] + endings { narrow(path + ending) }
    }
}
