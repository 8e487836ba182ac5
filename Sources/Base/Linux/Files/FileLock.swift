internal import CLinux

/// An advisory lock on an open file by `flock(2)`, held while this object lives.
///
/// It is released explicitly. Closing the file is not enough: a child process before its `exec` has a copy of the
/// descriptor, and with it the lock.
public final class FileLock: Sendable {
    private let file: Descriptor

    /// Who else may hold the lock.
    public enum Mode: Sendable {
        /// Nobody else may hold the lock.
        case exclusive
        /// Others may hold it in this mode.
        case shared
    }

    /// Takes the lock.
    ///
    /// - Parameter waits: for other holders to release it.
    /// - Throws: `EWOULDBLOCK` if another holds the lock.
    public init(_ file: Descriptor, _ mode: Mode = .exclusive, waits: Bool = false) throws(SystemError) {
        let operation = mode == .exclusive ? LOCK_EX : LOCK_SH
        try checking("flock") { flock(file.number, waits ? operation : operation | LOCK_NB) }
        self.file = file
    }

    deinit { flock(file.number, LOCK_UN) }
}
