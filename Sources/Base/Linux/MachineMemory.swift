internal import CLinux

/// The memory available to this process.
public enum MachineMemory {
    /// The machine's memory or the smallest limit of this process's control groups, in bytes.
    public static var byteCount: UInt64 {
        let machine = UInt64(max(sysconf(Int32(_SC_PHYS_PAGES)), 1)) * UInt64(sysconf(Int32(_SC_PAGESIZE)))
        return min(machine, controlGroupLimit(root: "/sys/fs/cgroup", membership: text(of: "/proc/self/cgroup")))
    }

    /// The smallest `memory.max` from a process's group up to the root of the unified hierarchy (v2), or its
    /// `memory.limit_in_bytes` (v1); `UInt64.max` without a limit.
    ///
    /// - Parameters:
    ///   - root: the mount point of the hierarchies.
    ///   - membership: the process's groups, as in `/proc/self/cgroup`: lines of `number:controllers:path`.
    package static func controlGroupLimit(root: String, membership: String) -> UInt64 {
        var least = UInt64.max
        for line in membership.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            if parts[1].isEmpty {
                least = min(least, smallestLimit(under: root, path: parts[2], file: "memory.max"))
            } else if parts[1].split(separator: ",").contains("memory") {
                least = min(
                    least, smallestLimit(under: "\(root)/memory", path: parts[2], file: "memory.limit_in_bytes"))
            }
        }
        return least
    }

    private static func smallestLimit(under root: String, path: Substring, file: String) -> UInt64 {
        var least = UInt64.max
        var folder = root
        for part in path.split(separator: "/") {
            folder += "/\(part)"
            // The root has no such file, and a group without a limit says `max`.
            let limit = text(of: "\(folder)/\(file)").split(separator: "\n").first.flatMap { UInt64($0) }
            least = min(least, limit ?? .max)
        }
        return least
    }

    private static func text(of path: String) -> String {
        guard let file = try? Descriptor.open(path, O_RDONLY), let bytes = try? file.readAll(limit: 1 << 16) else {
            return ""
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
