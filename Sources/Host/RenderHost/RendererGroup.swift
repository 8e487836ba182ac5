internal import CLinux
internal import Linux
internal import Media

/// The control group of all renderers of a host, with their children.
final class RendererGroup: Sendable {
    private let group: ControlGroup

    /// - Throws: `unavailable` where this process may not make one, with what to do.
    init(_ capacity: Capacity, memoryByteCount: UInt64) throws(Failure) {
        let limits = [
            ("memory.max", "\(memoryByteCount + Self.libraries)"), ("memory.swap.max", "0"),
            ("pids.max", "\(Self.ownProcesses + capacity.childCount * Self.threadsPerChild)"),
        ]
        do throws(SystemError) {
            group = try ControlGroup.make(
                named: "renderers", limits: limits, controllers: ["memory", "pids"],
                membership: try ControlGroup.membership)
        } catch {
            throw Failure(
                .unavailable,
                message: "The renderers cannot have a control group of their own (setting control-group). "
                    + "It needs cgroup v2 and delegation: Delegate=memory pids in systemd's unit.",
                detail: "\(error)")
        }
    }

    /// A renderer that could not be moved is ended: it would be outside all bounds.
    func adopt(_ process: pid_t) throws(SystemError) { try group.adopt(process) }

    var outOfMemoryCount: Int { group.outOfMemoryCount }

    /// What the renderers themselves take beside their children: libraries and their tables.
    private static let libraries: UInt64 = 256 << 20
    private static let ownProcesses = 64
    private static let threadsPerChild = 16
}
