internal import CLinux
package import Linux
public import Media
internal import Synchronization

/// A cache's own folder: opened once, and trusted only if its owner is trusted.
///
/// An untrusted user's folder would show that user's pictures as renditions. So the folder must belong to this user, to
/// root or to a user whom the caller trusts, and must not be world-writable. Its group may write to it if the owner has
/// allowed that.
package final class CacheRoot: Sendable {
    /// Without a trailing slash.
    package let path: String
    private let trustedOwner: UInt32?
    private let user: UInt32
    private let state = Mutex<Opened?>(nil)

    private struct Opened {
        let folder: OpenFolder
        let rights: GroupRights
        let time: Duration
    }

    /// The reason why a folder is not trusted.
    enum Distrust: Equatable {
        case owner(UInt32)
        case linkOwner(UInt32)
        case writableByAll
    }

    init(path: String, trustedOwner: UInt32?, user: UInt32) {
        self.path = path
        self.trustedOwner = trustedOwner
        self.user = user
    }

    /// How long the open folder is used: then the path is opened again, because it may lead to another folder.
    private static let lifetime: Duration = .seconds(1)

    /// The open folder.
    ///
    /// - Throws: the error of `open(2)`; `EPERM` if the folder is not trusted.
    package func folder() throws(SystemError) -> OpenFolder {
        let now = Time.monotonic
        if let opened = state.withLock({ $0 }), now - opened.time < Self.lifetime { return opened.folder }
        let (folder, distrust) = try inspect(now)
        guard distrust == nil else { throw SystemError("trust the folder", number: EPERM) }
        return folder
    }

    /// What the folder's group may do below it, as of the last check.
    var groupRights: GroupRights { state.withLock { $0?.rights } ?? .none }

    /// The reason why the folder is not trusted; `nil` if it is trusted or does not exist.
    func distrust() -> Distrust? { (try? inspect(Time.monotonic))?.distrust ?? nil }

    private func inspect(_ now: Duration) throws(SystemError) -> (folder: OpenFolder, distrust: Distrust?) {
        var link: FileStatus?
        let folder: OpenFolder
        do throws(SystemError) {
            folder = OpenFolder(try Descriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
        } catch {
            // A link, or not a folder.
            guard error.isNoFolder else { throw error }
            link = try FileStatus.of(linkPath: path)
            folder = OpenFolder(try Descriptor.open(path, O_RDONLY | O_DIRECTORY))
        }
        let status = try folder.descriptor.status()
        if !isTrusted(status.owner) { return (folder, .owner(status.owner)) }
        if status.isWritableByAll { return (folder, .writableByAll) }
        // Another user's link in /tmp may lead into this user's folder. Nobody else can replace this user's own link.
        if let link, !isTrusted(link.owner) { return (folder, .linkOwner(link.owner)) }
        let rights = GroupRights(of: status)
        // Files of an older version may be accessible to others below.
        if rights == .none, status.owner == user, status.mode & 0o077 != 0 {
            _ = fchmod(folder.descriptor.number, mode_t(status.mode & 0o7700))
        }
        state.withLock { $0 = Opened(folder: folder, rights: rights, time: now) }
        return (folder, nil)
    }

    private func isTrusted(_ owner: UInt32) -> Bool { owner == user || owner == 0 || owner == trustedOwner }

    /// Creates the folder and the folders above it; `false` if it existed.
    func make() throws(SystemError) -> Bool {
        state.withLock { $0 = nil }
        let isNew = try make(path)
        _ = try folder()
        return isNew
    }

    private func make(_ folder: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            return try makeLastFolder(of: folder)
        } catch {
            let parent = CacheFolder.parent(of: folder)
            guard error.isMissing, parent != folder else { throw error }
            _ = try make(parent)
        }
        // Once: in /proc, a folder stays missing.
        return try makeLastFolder(of: folder)
    }

    private func makeLastFolder(of folder: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try checking("mkdir") { mkdir(folder, OwnerOnly.folder) }
            return true
        } catch {
            if error.isTaken { return false }
            throw error
        }
    }
}

extension FolderCache {
    /// The cache in `path`, which need not exist yet, if its folder is trusted.
    ///
    /// - Parameter trustedOwner: as for `init(path:trustedOwner:)`.
    /// - Throws: as `checkOwner()`.
    public init(checking path: String, trustedOwner: UInt32?) throws(Failure) {
        self.init(path: path, trustedOwner: trustedOwner)
        try checkOwner()
    }

    /// Checks that the cache's folder is trusted, if it exists.
    ///
    /// - Throws: `unavailable` with a remedy if it belongs to another user or is world-writable.
    public func checkOwner() throws(Failure) {
        guard let distrust = folder.root.distrust() else { return }
        let other = "Choose another folder (--cache, COMPASS_CACHE)"
        switch distrust {
        case .owner(let owner):
            throw Failure(
                .unavailable,
                message: "The cache folder \(path) belongs to user \(owner), whose pictures it would show. "
                    + "\(other), or trust that user: --cache-owner \(owner), COMPASS_CACHE_OWNER.")
        case .linkOwner(let owner):
            throw Failure(
                .unavailable, message: "The cache folder \(path) is a link that belongs to user \(owner). \(other).")
        case .writableByAll:
            throw Failure(
                .unavailable,
                message:
                    "The cache folder \(path) is world-writable. \(other), or remove that permission: chmod o-w.")
        }
    }
}
