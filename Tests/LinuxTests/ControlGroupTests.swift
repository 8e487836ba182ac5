import CLinux
import Linux
import Testing

/// What is written, and where; that a kernel keeps the bounds needs one with cgroup v2 and delegation.
@Suite("A control group for what this process starts")
struct ControlGroupTests {
    /// A folder that looks like a delegated group at `/unit`.
    private func root(controllers: String) throws -> String {
        var template = Array("/tmp/compass-groups-XXXXXX".utf8CString)
        let root = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)!) }
        for folder in ["unit", "unit/host", "unit/renderers"] { mkdir("\(root)/\(folder)", 0o700) }
        let files = [
            "cgroup.controllers": controllers, "cgroup.subtree_control": "", "host/cgroup.procs": "",
            "renderers/memory.max": "", "renderers/cgroup.procs": "",
            "renderers/memory.events": "low 0\noom 3\noom_kill 2\n",
        ]
        for (name, text) in files {
            try Descriptor.open("\(root)/unit/\(name)", O_WRONLY | O_CREAT).write(Array(text.utf8))
        }
        return root
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Descriptor.open(path, O_RDONLY).readAll(limit: 1000) ?? [], as: UTF8.self)
    }

    @Test("This process moves aside, its group gives its children controllers, and the new group gets its limits")
    func made() throws {
        let root = try root(controllers: "cpu memory pids\n")
        let group = try ControlGroup.make(
            named: "renderers", limits: [("memory.max", "4096")], controllers: ["memory", "pids"], root: root,
            membership: "0::/unit\n")
        #expect(try text("\(root)/unit/host/cgroup.procs") == "\(getpid())")
        #expect(try text("\(root)/unit/cgroup.subtree_control") == "+memory +pids")
        #expect(try text("\(root)/unit/renderers/memory.max") == "4096")
        try group.adopt(4711)
        #expect(try text("\(root)/unit/renderers/cgroup.procs") == "4711")
        #expect(group.outOfMemoryCount == 2)
    }

    @Test("Without the controller, or without unified groups, nothing is moved")
    func refused() throws {
        let root = try root(controllers: "cpu\n")
        for membership in ["0::/unit\n", "4:memory:/unit\n", ""] {
            #expect(throws: SystemError.self) {
                try ControlGroup.make(
                    named: "renderers", limits: [], controllers: ["memory"], root: root, membership: membership)
            }
        }
        #expect(try text("\(root)/unit/host/cgroup.procs").isEmpty)
    }
}
