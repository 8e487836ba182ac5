internal import CLinux
internal import Linux

/// One advisory lock that is held; let go, and its file removed, when the last reference goes.
final class LockFile: Sendable {
    private let descriptor: Descriptor
    private let path: String

    enum Attempt {
        case got(LockFile)
        case held
        /// No lock can be had in this folder.
        case impossible
    }

    private init(_ descriptor: Descriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Tries to lock `locks/<name>` without waiting.
    static func attempt(_ name: String, in folder: CacheFolder) -> Attempt {
        attempt(path: folder.path("\(Layout.locks)/\(name)"), in: folder)
    }

    /// Whether nobody holds the lock with this path; its file is removed then.
    static func isLeftBehind(_ path: String, in folder: CacheFolder) -> Bool {
        if case .got = attempt(path: path, in: folder) { true } else { false }
    }

    private static func attempt(path: String, in folder: CacheFolder) -> Attempt {
        // Each round that does not return saw another holder remove the file in between; waiting is left to the caller.
        for _ in 0..<8 {
            guard let descriptor = open(path, in: folder) else { return .impossible }
            do throws(SystemError) {
                try checking("flock") { flock(descriptor.number, LOCK_EX | LOCK_NB) }
            } catch {
                return error.number == EWOULDBLOCK ? .held : .impossible
            }
            if stillNames(path, descriptor) { return .got(LockFile(descriptor, path: path)) }
        }
        return .held
    }

    /// Reading suffices for flock(2), and lets users share locks that one of them has made.
    private static func open(_ path: String, in folder: CacheFolder) -> Descriptor? {
        var descriptor: Descriptor?
        try? folder.makingFolders(of: path) { () throws(SystemError) in
            descriptor = try Descriptor.open(path, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o666)
        }
        return descriptor
    }

    /// Whether the path leads to the file that was locked: its last holder removes it, and a lock on a removed file
    /// keeps nobody out.
    private static func stillNames(_ path: String, _ descriptor: Descriptor) -> Bool {
        guard let named = try? FileStatus.of(path: path), let opened = try? descriptor.status() else { return false }
        return named.inode == opened.inode && named.device == opened.device
    }

    deinit {
        // Removed while still locked: whoever has opened it meanwhile finds that it is no longer the path's, and starts anew.
        unlink(path)
    }
}
