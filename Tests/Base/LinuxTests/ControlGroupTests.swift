import CLinux
import Linux
import TestDeadline
import TestSupport
import Testing

/// What is written, and where; that a kernel keeps the bounds needs one with cgroup v2 and delegation.
@Suite("A control group for this process's children", .deadline)
struct ControlGroupTests {
    /// A folder that looks like a delegated group at `/unit`.
    private func root(controllers: String) throws -> String {
        let root = TemporaryFolder.make("groups")
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

    /// As systemd marks a group that it delegates: `user.delegate` is 1.
    private func mark(_ path: String) throws {
        try path.withCString { path in
            try "user.delegate".withCString { name in
                try "1".withCString { value in
                    let texts = [path, name, value].map { Int(bitPattern: $0) }
                    try checking("setxattr") {
                        Int32(clinux_call(Int(SYS_setxattr), texts[0], texts[1], texts[2], 1, 0))
                    }
                }
            }
        }
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Descriptor.open(path, O_RDONLY).readAll(limit: 1000) ?? [], as: UTF8.self)
    }

    @Test(
        "This process moves to its own group, its former group enables the controllers, and the new group gets its limits"
    )
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

    @Test("A group is delegated where its user may change it and no other process is in it")
    func delegated() throws {
        let root = try root(controllers: "cpu memory pids\n")
        let processes = try Descriptor.open("\(root)/unit/cgroup.procs", O_WRONLY | O_CREAT)
        func isDelegated(isSuperuser: Bool = false) -> Bool {
            ControlGroup.isDelegated(root: root, membership: "0::/unit\n", isSuperuser: isSuperuser)
        }
        #expect(!isDelegated(), "no process is not this one")
        try processes.write(Array("\(getpid())\n".utf8))
        #expect(isDelegated())
        #expect(!isDelegated(isSuperuser: true), "root may write to every group")
        try mark("\(root)/unit")
        #expect(isDelegated(isSuperuser: true))
        try processes.write(Array("1\n".utf8))
        #expect(!isDelegated(), "a shell beside it")
        #expect(!ControlGroup.isDelegated(root: root, membership: "4:memory:/unit\n", isSuperuser: false))
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
