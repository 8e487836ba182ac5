public import CLinux

/// Files and folders that their user alone may use, whatever the umask is: 0600, and 0700 for folders.
///
/// `open(2)` and `mkdir(2)` take the umask away from the mode that they are given, so a mode without rights of others stays as it is.
/// What a library makes inherits the mode of a file that was made here before, as SQLite's logs do that of their database.
public enum OwnerOnly {
    /// The mode of a file.
    public static let file: mode_t = 0o600
    /// The mode of a folder.
    public static let folder: mode_t = 0o700

    /// Makes an empty file where none is, without a wait; narrows one that is there.
    ///
    /// The file is not opened if it is there: closing a second descriptor of a database would end the locks that this process holds on it.
    public static func makeFile(_ path: String) {
        if (try? Descriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: file)) == nil { narrow(path) }
    }

    /// Makes a folder whose parent is there; narrows one that is there.
    ///
    /// - Returns: whether it was made.
    @discardableResult
    public static func makeFolder(_ path: String) throws(SystemError) -> Bool {
        if mkdir(path, folder) == 0 { return true }
        guard clinux_errno() == EEXIST else { throw SystemError.last("mkdir \(path)") }
        narrow(path)
        return false
    }

    /// Takes the rights of group and others away from a file or folder of this user, as an older version or another program has made it.
    /// Those of other users stay as they are.
    public static func narrow(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else { return }
        _ = chmod(path, status.st_mode & 0o7700)
    }

    /// Makes or narrows an SQLite database, and narrows the files beside it.
    ///
    /// - Parameter endings: those of further files beside it.
    public static func makeDatabase(_ path: String, endings: [String] = []) {
        makeFile(path)
        for ending in ["-wal", "-shm", "-journal"] + endings { narrow(path + ending) }
    }
}
