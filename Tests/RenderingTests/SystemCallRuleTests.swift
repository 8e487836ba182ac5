import Media
import Rendering
import Testing

@Suite("The lists of system calls")
struct SystemCallRuleTests {
    @Test("libseccomp knows every call, and each list compiles to a short program", arguments: RendererClass.allCases)
    func compiles(rendererClass: RendererClass) throws {
        let filter = try SystemCallFilter(SystemCallRule.all(for: rendererClass))
        #expect((50...250).contains(filter.instructionCount))
    }

    @Test("A call that does not exist is an error, not a hole")
    func unknownCall() {
        #expect(throws: (any Error).self) {
            try SystemCallFilter([.allow("no_such_call", because: "nothing")])
        }
    }

    @Test("No list lets a child reach the network, another process or more power", arguments: RendererClass.allCases)
    func forbidden(rendererClass: RendererClass) {
        let allowed = Set(SystemCallRule.all(for: rendererClass).filter { $0.action == .allow }.map(\.call))
        let forbidden = [
            "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "recvmsg", "recvfrom", "recvmmsg",
            "execve", "execveat", "fork", "vfork", "clone3", "kill", "tkill", "rt_sigqueueinfo", "pidfd_open",
            "pidfd_send_signal", "pidfd_getfd", "ptrace", "process_vm_readv", "process_vm_writev", "open", "creat",
            "openat2", "open_by_handle_at", "rename", "unlink", "unlinkat", "mkdir", "link", "symlink", "chmod",
            "chown",
            "truncate", "ftruncate", "fallocate", "memfd_create", "mount", "umount2", "chroot", "pivot_root", "unshare",
            "setns", "io_uring_setup", "io_uring_enter", "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key",
            "personality", "pkey_mprotect", "shmat", "setuid", "capset", "seccomp", "prctl", "ioctl", "init_module",
        ]
        #expect(allowed.intersection(forbidden) == [])
    }

    @Test("What an argument decides is never allowed without its condition", arguments: RendererClass.allCases)
    func conditions(rendererClass: RendererClass) {
        let rules = SystemCallRule.all(for: rendererClass).filter { $0.action == .allow }
        for call in ["mmap", "mprotect", "clone", "tgkill", "fcntl", "prlimit64", "openat"] {
            #expect(rules.filter { $0.call == call }.allSatisfy { !$0.conditions.isEmpty }, "\(call)")
        }
    }

    @Test("Only pages and drawings may open files")
    func openingFiles() {
        let classes = RendererClass.allCases.filter { rendererClass in
            SystemCallRule.all(for: rendererClass).contains { $0.call == "openat" && $0.action == .allow }
        }
        #expect(Set(classes) == [.pdf, .svg])
    }
}
