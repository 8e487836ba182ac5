public import CLinux

/// A control group (cgroup v2) for processes that this one starts, beside the group `host` that this process moves to:
/// in the unified hierarchy a group with controllers for its children has no processes of its own.
public final class ControlGroup: Sendable {
    /// The group's folder.
    package let path: String

    private init(path: String) { self.path = path }

    /// Makes a group below this process's, which must be its own to arrange ("delegated"), or takes the one that a
    /// predecessor left.
    ///
    /// - Parameters:
    ///   - limits: what to write into which of the new group's files: `memory.max`, `pids.max` and the like.
    ///   - controllers: those that the limits need.
    ///   - root: where the unified hierarchy is mounted.
    ///   - membership: as `/proc/self/cgroup`.
    /// - Throws: what was refused: without delegation `EACCES`, beside other processes `EBUSY`, without such a
    ///   controller `ENOENT`.
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

    /// Whether this process's group is its own to arrange, with memory's and processes' controllers, and holds nobody
    /// else.
    public static var isDelegated: Bool {
        guard let membership = try? membership else { return false }
        return isDelegated(root: "/sys/fs/cgroup", membership: membership, isSuperuser: geteuid() == 0)
    }

    /// As above. Who has all rights finds every group writable: then the mark counts that systemd leaves on those it
    /// delegates.
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

    /// Moves a process into the group; the processes that it starts from then on are in the group too.
    public func adopt(_ process: pid_t) throws(SystemError) { try Self.write("\(process)", to: "\(path)/cgroup.procs") }

    /// How many processes of the group the kernel has killed because the group's memory ran out.
    public var outOfMemoryCount: Int {
        let lines = ((try? Self.text(of: "\(path)/memory.events")) ?? "").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("oom_kill ") }
        return line.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    }

    /// The path below the mount, from the line `0::/path`; the root's is empty.
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
