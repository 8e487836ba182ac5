internal import CLinux
internal import Linux

/// The user and group maps of a new user namespace: the process's own user, and for root also the user `nobody`.
///
/// Only a process outside the namespace may add a second user. So a process of one thread makes this value before it
/// enters the namespace, and forks a helper that stays outside.
struct UserMaps {
    /// The user that root's children become: no task limit applies to root.
    static let nobody: UInt32 = 65534

    private let user = getuid()
    private let group = getgid()
    private let helper: Helper?

    /// A forked process that stays outside the namespace, and the pipe on which it waits.
    private struct Helper {
        let processID: pid_t
        let signal: Int32
    }

    init() {
        helper = getuid() == 0 ? Self.startHelper() : nil
    }

    /// Writes the maps once this process is in the namespace.
    func write() throws(SystemError) {
        if let helper, Self.finish(helper) { return }
        try Self.write("deny", to: "/proc/self/setgroups")
        try Self.write("\(user) \(user) 1", to: "/proc/self/uid_map")
        try Self.write("\(group) \(group) 1", to: "/proc/self/gid_map")
    }

    private static func startHelper() -> Helper? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let renderer = getpid()
        let child = clinux_fork()
        guard child == 0 else {
            close(ends[0])
            return Helper(processID: child, signal: ends[1])
        }
        // Otherwise the pipe would stay open after the renderer's exit.
        close(ends[1])
        var byte: UInt8 = 0
        guard CLinux.read(ends[0], &byte, 1) == 1 else { _exit(1) }
        let map = "0 0 1\n\(nobody) \(nobody) 1"
        do throws(SystemError) {
            try write(map, to: "/proc/\(renderer)/uid_map")
            try write(map, to: "/proc/\(renderer)/gid_map")
        } catch {
            _exit(1)
        }
        _exit(0)
    }

    /// Tells the helper to write; `true` if it wrote both maps.
    private static func finish(_ helper: Helper) -> Bool {
        var byte: UInt8 = 1
        let isTold = CLinux.write(helper.signal, &byte, 1) == 1
        close(helper.signal)
        guard helper.processID > 0 else { return false }
        let end = ProcessEnd(reaping: helper.processID)
        return isTold && end.signal == 0 && end.status == 0
    }

    /// Ends the helper if there is no namespace.
    func giveUp() {
        guard let helper else { return }
        close(helper.signal)
        if helper.processID > 0 { _ = ProcessEnd(reaping: helper.processID) }
    }

    private static func write(_ text: String, to path: String) throws(SystemError) {
        try Descriptor.open(path, O_WRONLY).write(Array(text.utf8))
    }
}
