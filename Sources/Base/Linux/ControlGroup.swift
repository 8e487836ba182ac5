public import CLinux

/// A control group (cgroup v2) for the processes that this process starts. This process moves to the sibling group
/// `host`: in the unified hierarchy a group whose children have controllers cannot have processes itself.
public final class ControlGroup: Sendable {
    /// The group's folder.
    package let path: String

    private init(path: String) { self.path = path }

    /// Makes a group below this process's own, which must be delegated to it, or reuses a predecessor's group.
    ///
    /// - Parameters:
    ///   - limits: files of the new group and their values: `memory.max`, `pids.max` and the like.
    ///   - controllers: the controllers that the limits need.
    ///   - root: the mount point of the unified hierarchy.
    ///   - membership: the content of `/proc/self/cgroup`.
    /// - Throws: `EACCES` without delegation, `EBUSY` if the group has other processes, `ENOENT` if a controller is
    ///   missing.
    public static func make(
        named name: String, limits: [(file: String, value: String)], controllers: [String],
        root: String = "/sys/fs/cgroup", membership: String
    ) throws(SystemError) -> ControlGroup {
        let own = try root + ownGroup(membership)
        let available = try text(of: "\(own)/cgroup.controllers").split { $0.isWhitespace }
        guard controllers.allSatisfy({ available.contains(Substring($0)) }) else {
            throw SystemError("controllers of \(own)", number: ENOENT)
        }
        try makeFolder("\(own)/host")
        try write("\(getpid())", to: "\(own)/host/cgroup.procs")
        try write(controllers.map { "+\($0)" }.joined(separator: " "), to: "\(own)/cgroup.subtree_control")
        let group = ControlGroup(path: "\(own)/\(name)")
        try makeFolder(group.path)
        for (file, value) in limits { try write(value, to: "\(group.path)/\(file)") }
        return group
    }

    /// Whether this process's group is delegated to it, has the `memory` and `pids` controllers, and contains no other
    /// process.
    public static var isDelegated: Bool {
        guard let membership = try? membership else { return false }
        return isDelegated(root: "/sys/fs/cgroup", membership: membership, isSuperuser: geteuid() == 0)
    }

    /// The same for given values. To a superuser every group is writable, so systemd's mark on delegated groups counts
    /// instead.
    package static func isDelegated(root: String, membership: String, isSuperuser: Bool) -> Bool {
        guard let own = try? root + ownGroup(membership),
            let available = try? text(of: "\(own)/cgroup.controllers").split(whereSeparator: \.isWhitespace),
            ["memory", "pids"].allSatisfy(available.contains),
            let processes = try? text(of: "\(own)/cgroup.procs").split(separator: "\n"), processes == ["\(getpid())"]
        else { return false }
        if isSuperuser { return clinux_has_attribute(own, "user.delegate", "1") != 0 }
        return ["", "/cgroup.procs", "/cgroup.subtree_control"].allSatisfy { access(own + $0, W_OK) == 0 }
    }

    /// The groups of this process, as in `/proc/self/cgroup`.
    public static var membership: String { get throws(SystemError) { try text(of: "/proc/self/cgroup") } }

    /// Moves a process into the group; processes that it starts later are in the group too.
    public func adopt(_ process: pid_t) throws(SystemError) { try Self.write("\(process)", to: "\(path)/cgroup.procs") }

    /// The number of the group's processes that the kernel killed because the group ran out of memory.
    public var outOfMemoryCount: Int {
        let lines = ((try? Self.text(of: "\(path)/memory.events")) ?? "").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("oom_kill ") }
        return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    }

    /// The path below the mount point, from the line `0::/path`; empty for the root.
    private static func ownGroup(_ membership: String) throws(SystemError) -> String {
        guard let line = membership.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else {
            throw SystemError("unified control groups", number: ENOENT)
        }
        let path = String(line.dropFirst(3))
        return path == "/" ? "" : path
    }

    private static func makeFolder(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try checking("mkdir \(path)") { mkdir(path, 0o755) }
        } catch {
            if error.number != EEXIST { throw error }
        }
    }

    private static func write(_ text: String, to path: String) throws(SystemError) {
        let file = try Descriptor.open(path, O_WRONLY)
        try checking("write \(path)") { CLinux.write(file.number, text, text.utf8.count) }
    }

    private static func text(of path: String) throws(SystemError) -> String {
        String(decoding: try Descriptor.open(path, O_RDONLY).readAll(limit: 1 << 16) ?? [], as: UTF8.self)
    }
}
