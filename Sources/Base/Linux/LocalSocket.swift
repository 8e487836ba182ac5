internal import CLinux

/// A message-based Unix socket with a name in the file system, for processes of one user.
///
/// Its folder belongs to this user, and nobody else may enter it; the kernel tells who is at the other end. The folder
/// is opened once and the name is used below it, so no link leads elsewhere and no path exceeds the kernel's 108 bytes.
public struct LocalSocket: Sendable {
    /// The absolute path, for messages.
    public let path: String
    private let folder: Descriptor
    private let name: String

    /// The socket at an absolute path.
    ///
    /// - Parameter makesFolder: whether to make the folder if it is missing, but not its parents.
    /// - Throws: `EPERM` if others may use the folder.
    public init(path: String, makesFolder: Bool = false) throws(SystemError) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folderPath = slash == path.startIndex ? "/" : String(path[..<slash])
        self.path = path
        name = String(path[path.index(after: slash)...])
        if makesFolder {
            do throws(SystemError) {
                try checking("mkdir \(folderPath)") { mkdir(folderPath, 0o700) }
            } catch {
                if error.number != EEXIST { throw error }
            }
        }
        folder = try Descriptor.open(folderPath, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        let (owner, mode) = try Self.ownerAndMode(folder)
        guard owner == geteuid(), mode & 0o077 == 0 else {
            throw SystemError("use \(folderPath), which others may enter", number: EPERM)
        }
    }

    /// Connects without waiting; throws `EAGAIN` if the listener's queue is full.
    public func connect() throws(SystemError) -> MessageSocket {
        let socket = try Self.socket()
        try address("connect") { CLinux.connect(socket.number, $0, $1) }
        let peer = try Self.peer(of: socket)
        guard peer.user == geteuid() else { throw SystemError("trust another user's socket", number: EPERM) }
        return MessageSocket(socket)
    }

    /// Listens, and replaces the socket of a listener that has ended.
    ///
    /// - Throws: `EADDRINUSE` if another process listens.
    public func listen() throws(SystemError) -> LocalListener {
        let file = Descriptor(
            owning: try checking("open \(path).lock") {
                clinux_openat(folder.number, "\(name).lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            })
        // The lock ends with its holder, unlike the socket's name.
        let lock: FileLock
        do throws(SystemError) {
            lock = try FileLock(file)
        } catch {
            throw SystemError("listen at \(path)", number: EADDRINUSE)
        }
        unlinkat(folder.number, name, 0)
        let socket = try Self.socket()
        try address("bind") { bind(socket.number, $0, $1) }
        try checking("chmod") { fchmodat(folder.number, name, 0o600, 0) }
        try checking("listen") { CLinux.listen(socket.number, 64) }
        return LocalListener(socket: socket, lock: lock, folder: folder, name: name)
    }

    /// The process and user at the other end at the time of `connect` or `listen`.
    public static func peer(of socket: Descriptor) throws(SystemError) -> (process: Int32, user: UInt32) {
        var process: pid_t = 0
        var user: uid_t = 0
        try checking("getsockopt(SO_PEERCRED)") { clinux_peer(socket.number, &process, &user) }
        return (process, user)
    }

    private static func socket() throws(SystemError) -> Descriptor {
        let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        return Descriptor(owning: try checking("socket") { CLinux.socket(AF_UNIX, type, 0) })
    }

    /// Makes a call with the socket's address below the open folder.
    private func address(
        _ call: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array("/proc/self/fd/\(folder.number)/\(name)".utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError(call, number: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        try checking(call) {
            withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
    }

    private static func ownerAndMode(_ folder: Descriptor) throws(SystemError) -> (uid_t, mode_t) {
        var status = stat()
        try checking("fstat") { fstat(folder.number, &status) }
        return (status.st_uid, status.st_mode)
    }
}

/// A listening socket; its name is removed with this object.
public final class LocalListener: Sendable {
    /// The listening socket, to be polled; non-blocking.
    public let socket: Descriptor
    private let lock: FileLock
    private let folder: Descriptor
    private let name: String

    fileprivate init(socket: Descriptor, lock: FileLock, folder: Descriptor, name: String) {
        self.socket = socket
        self.lock = lock
        self.folder = folder
        self.name = name
    }

    /// The next connection of this user; `nil` if none waits or it is another user's.
    public func accept() throws(SystemError) -> MessageSocket? {
        let connection: Descriptor
        do throws(SystemError) {
            connection = Descriptor(
                owning: try checking("accept") { clinux_accept(socket.number) })
        } catch {
            // The other end closed the connection while it waited.
            if error.number == EAGAIN || error.number == ECONNABORTED { return nil }
            throw error
        }
        guard try LocalSocket.peer(of: connection).user == geteuid() else { return nil }
        return MessageSocket(connection)
    }

    deinit { unlinkat(folder.number, name, 0) }
}
