internal import CLinux
internal import Linux

/// A held advisory lock. When the last reference is released, the lock is released and its file removed.
final class LockFile: Sendable {
    private let lock: FileLock
    private let folder: OpenFolder
    private let place: String

    /// The answer to a request for a lock.
    enum Acquisition {
        case acquired(LockFile)
        /// Another holder has the lock.
        case held
        /// This folder does not support locks.
        case impossible
    }

    private init(_ lock: FileLock, _ place: String, in folder: OpenFolder) {
        self.lock = lock
        self.folder = folder
        self.place = place
    }

    /// Tries to lock `locks/<name>` without waiting.
    static func acquire(_ name: String, in folder: CacheFolder) -> Acquisition {
        acquire(place: "\(CacheLayout.locks)/\(name)", in: folder)
    }

    /// Whether nobody holds the lock at this place; then its file is removed.
    static func isLeftBehind(_ place: String, in folder: CacheFolder) -> Bool {
        if case .acquired = acquire(place: place, in: folder) { true } else { false }
    }

    private static func acquire(place: String, in folder: CacheFolder) -> Acquisition {
        // Another round follows only if another holder removed the file in between. The caller does the waiting.
        for _ in 0..<8 {
            guard let (descriptor, folder) = open(place, in: folder),
                (try? descriptor.status())?.isRegularFile == true
            else { return .impossible }
            let lock: FileLock
            do throws(SystemError) {
                lock = try FileLock(descriptor)
            } catch {
                return error.number == EWOULDBLOCK ? .held : .impossible
            }
            if stillNames(place, descriptor, in: folder) { return .acquired(LockFile(lock, place, in: folder)) }
        }
        return .held
    }

    /// Opens for reading, which is enough for flock(2) and lets users share a lock that one of them has created.
    private static func open(_ place: String, in cache: CacheFolder) -> (Descriptor, OpenFolder)? {
        var opened: (Descriptor, OpenFolder)?
        try? cache.makingFolders(of: place) { () throws(SystemError) in
            let folder = try cache.root.folder()
            let flags = O_RDONLY | O_CREAT | O_NONBLOCK
            opened = (try folder.make(place, flags, for: cache.root.groupRights), folder)
        }
        return opened
    }

    /// Whether the place still leads to the locked file: its last holder removes it, and a lock on a removed file
    /// excludes nobody.
    private static func stillNames(_ place: String, _ descriptor: Descriptor, in folder: OpenFolder) -> Bool {
        guard let named = try? folder.status(of: place), let opened = try? descriptor.status() else { return false }
        return named.isSameFile(as: opened)
    }

    deinit {
        // Removed while still locked: a process that has opened it in the meantime finds that the place leads
        // elsewhere.
        try? folder.remove(place)
    }
}
