import CLinux
import Linux
import TestDeadline
import TestSupport
import Testing

@Suite("The memory of the machine or of a control group", .deadline)
struct MachineMemoryTests {
    /// A folder that looks like mounted control groups.
    private struct Groups {
        let root: String

        init(_ files: [(path: String, text: String)]) throws {
            root = TemporaryFolder.make("groups")
            for (path, text) in files {
                var folder = root
                for part in path.split(separator: "/").dropLast() {
                    folder += "/\(part)"
                    mkdir(folder, 0o700)
                }
                try Descriptor.open("\(root)/\(path)", O_WRONLY | O_CREAT).write(Array(text.utf8))
            }
        }
    }

    @Test("The smallest limit on the way to the root counts (v2)")
    func unified() throws {
        let groups = try Groups([
            ("system.slice/memory.max", "1073741824\n"), ("system.slice/thumbd.service/memory.max", "max\n"),
            ("other/memory.max", "4096\n"),
        ])
        let limit = MachineMemory.controlGroupLimit(root: groups.root, membership: "0::/system.slice/thumbd.service\n")
        #expect(limit == 1_073_741_824)
    }

    @Test("A limit of the memory hierarchy counts (v1)")
    func legacy() throws {
        let groups = try Groups([("memory/box/memory.limit_in_bytes", "536870912\n")])
        let membership = "5:cpuset:/\n4:memory:/box\n0::/\n"
        #expect(MachineMemory.controlGroupLimit(root: groups.root, membership: membership) == 536_870_912)
    }

    @Test("Without a limit, or without control groups, the machine's memory counts")
    func unlimited() throws {
        let groups = try Groups([("a/memory.max", "max\n")])
        #expect(MachineMemory.controlGroupLimit(root: groups.root, membership: "0::/a\n") == .max)
        #expect(MachineMemory.controlGroupLimit(root: "/nowhere", membership: "") == .max)
        #expect(MachineMemory.byteCount > 64 << 20)
    }
}
