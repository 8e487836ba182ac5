internal import CLinux
internal import Linux
internal import Media

/// The control group of all renderers of a host and their children.
final class RendererGroup: Sendable {
    private let group: ControlGroup

    /// Creates the group, with limits on memory and processes, and moves this process to a group beside it.
    ///
    /// - Throws: `unavailable` with a remedy if this process may not create a group.
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
                message: "Cannot create a control group for the renderers (setting control-group). "
                    + "It needs cgroup v2 and delegation: Delegate=memory pids in systemd's unit.",
                detail: "\(error)")
        }
    }

    /// Moves a renderer into the group. The caller ends a renderer that cannot be moved: no limit would apply to it.
    func adopt(_ process: pid_t) throws(SystemError) { try group.adopt(process) }

    /// The number of processes that the kernel has killed because the group was out of memory.
    var outOfMemoryCount: Int { group.outOfMemoryCount }

    /// The memory of the renderers themselves, without their children: libraries and their tables.
    private static let libraries: UInt64 = 256 << 20
    private static let ownProcesses = 64
    private static let threadsPerChild = 16
}
