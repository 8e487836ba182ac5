import Media
import Rendering
import TestDeadline
import Testing

@Suite("The lists of system calls", .deadline)
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
            "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "sendmsg", "sendmmsg", "recvmsg",
            "recvfrom", "recvmmsg",
            "execve", "execveat", "fork", "vfork", "clone3", "kill", "tkill", "rt_sigqueueinfo", "pidfd_open",
            "pidfd_send_signal", "pidfd_getfd", "ptrace", "process_vm_readv", "process_vm_writev", "open", "creat",
            "openat2", "open_by_handle_at", "rename", "unlink", "unlinkat", "mkdir", "link", "symlink", "chmod",
            "chown",
            "pipe", "pipe2", "eventfd2", "timerfd_create", "epoll_create1", "signalfd4", "sigaltstack", "truncate",
            "ftruncate", "fallocate", "memfd_create", "mount", "umount2", "chroot", "pivot_root", "unshare",
            "setns", "io_uring_setup", "io_uring_enter", "bpf", "perf_event_open", "userfaultfd", "keyctl", "add_key",
            "personality", "pkey_mprotect", "shmat", "setuid", "capset", "seccomp", "prctl", "ioctl", "init_module",
        ]
        #expect(allowed.intersection(forbidden) == [])
    }

    @Test("A call whose argument matters is never allowed without its condition", arguments: RendererClass.allCases)
    func conditions(rendererClass: RendererClass) {
        let rules = SystemCallRule.all(for: rendererClass).filter { $0.action == .allow }
        for call in [
            "mmap", "mprotect", "munmap", "mremap", "madvise", "clone", "futex", "rt_sigaction", "tgkill", "fcntl",
            "prlimit64",
            "openat",
            "sendto",
        ] {
            #expect(rules.filter { $0.call == call }.allSatisfy { !$0.conditions.isEmpty }, "\(call)")
        }
    }

    @Test(
        "Memory is private, anywhere, and writable for good; nothing else is counted by its limit",
        arguments: RendererClass.allCases)
    func countedMemory(rendererClass: RendererClass) {
        let list = List(of: rendererClass)
        let (readable, writable, executable) = (UInt64(1), UInt64(3), UInt64(5))
        let (shared, anonymous) = (UInt64(0x01), UInt64(0x22))
        // MAP_NORESERVE, MAP_POPULATE, MAP_STACK; and as glibc 2.41 maps getrandom's state.
        for flags in [anonymous, anonymous | 0x4000, anonymous | 0x8000, anonymous | 0x2_0000, 0x28] {
            #expect(list.allows("mmap", 0, 4096, writable, flags))
            #expect(!list.allows("mmap", 0, 4096, executable, flags))
        }
        // MAP_FIXED, MAP_GROWSDOWN, MAP_LOCKED, MAP_HUGETLB, MAP_FIXED_NOREPLACE, MAP_SYNC.
        for flag in [0x10, 0x100, 0x2000, 0x4_0000, 0x10_0000, 0x8_0000] as [UInt64] {
            #expect(!list.allows("mmap", 0, 4096, writable, anonymous | flag))
        }
        #expect(!list.allows("mmap", 0, 4096, writable, shared | 0x20))
        #expect(!list.allows("mmap", 0, 4096, writable, shared))
        #expect(list.allows("mmap", 0, 4096, readable, shared) == [.pdf, .svg].contains(rendererClass))
        #expect(list.allows("mprotect", 0, 4096, writable))
        // PROT_NONE, PROT_READ, PROT_EXEC, PROT_GROWSDOWN.
        for protection in [0, 1, 5, 7, 0x0100_0003] as [UInt64] {
            #expect(!list.allows("mprotect", 0, 4096, protection))
        }
        let stack = UInt64(UInt(bitPattern: CommandLine.unsafeArgv))
        #expect(list.allows("mremap", stack - 1 << 30, 4096, 8192, 1))
        #expect(!list.allows("mremap", stack - 4096, 4096, 8192, 1), "the stack")
        #expect(!list.allows("munmap", stack - 4096, 4096), "the stack")
        #expect(!list.allows("mprotect", stack - 4096, 4096, writable), "the stack")
        // MREMAP_FIXED, MREMAP_DONTUNMAP.
        for flag in [2, 4] as [UInt64] { #expect(!list.allows("mremap", 1 << 30, 4096, 8192, 1 | flag)) }
    }

    @Test("Pointers are compared whole, and numbers that the kernel takes as int by their lower half")
    func widths() {
        let list = List(of: .pdf)
        let upper = UInt64(1) << 32
        #expect(list.allows("prlimit64", 0, 7, 0, 0x7000))
        #expect(list.allows("prlimit64", upper, 7, 0, 0x7000))
        #expect(!list.allows("prlimit64", 0, 7, upper, 0x7000), "a pointer whose lower half is zero")
        #expect(list.allows("sendto", 5, 0x7000, 1, 0, 0))
        #expect(!list.allows("sendto", 5, 0x7000, 1, 0, upper))
        #expect(!list.allows("rt_sigaction", upper | 31), "SIGSYS, whatever stands above it")
        #expect(!list.allows("openat", 0, 0x7000, upper | 1), "O_WRONLY")
        #expect(!list.allows("mmap", 0, 4096, upper | 5, 0x22), "PROT_EXEC")
        #expect(!list.allows("clone", upper | 17), "a process")
    }

    @Test("Only abort and glibc's threads may set handlers")
    func handlers() {
        let list = List(of: .image)
        #expect((1...64).filter { list.allows("rt_sigaction", $0) } == [6, 32, 33])
    }

    @Test("Locks wait and wake, but are not requeued by priority")
    func locks() {
        let list = List(of: .image)
        for flags in [0, 128, 256, 384] as [UInt64] {
            #expect((0...15).filter { list.allows("futex", 0x7000, $0 | flags) } == Array(0...10))
        }
    }

    /// A class's list, asked as the kernel asks the filter.
    private struct List {
        let rules: [SystemCallRule]

        init(of rendererClass: RendererClass) { rules = SystemCallRule.all(for: rendererClass) }

        func allows(_ call: String, _ arguments: UInt64...) -> Bool {
            rules.contains { rule in
                rule.call == call && rule.action == .allow
                    && rule.conditions.allSatisfy { $0.isMet(by: arguments[Int($0.argument)], in: 1) }
            }
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
