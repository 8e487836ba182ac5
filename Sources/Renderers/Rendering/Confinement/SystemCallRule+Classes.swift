internal import CLinux
package import Media

/// The system calls that the children of each class may make; any other call ends the child, and the failure names the
/// call.
///
/// Found by tracing on Debian 12 and 13 (x86-64) with clean and damaged files. No list has a call that opens a
/// connection, runs a program, receives a descriptor, inspects another process, or makes memory executable.
extension SystemCallRule {
    /// The complete list of a class.
    package static func all(for rendererClass: RendererClass) -> [SystemCallRule] {
        neverCalled + memory + threads + time + files + answering + questions + particular(to: rendererClass)
    }

    private static func particular(to rendererClass: RendererClass) -> [SystemCallRule] {
        switch rendererClass {
        case .sniff, .video, .plain, .text, .recognition: withoutFiles
        case .image: withoutFiles + temporaryFiles
        case .pdf, .svg: readingFolders
        }
    }

    /// Calls that none of the libraries makes even by mistake: the child ends before its own code runs again. A handler
    /// in the child names every other call that is on no list.
    private static let neverCalled: [SystemCallRule] = [
        .kill("execve", because: "runs a program"),
        .kill("execveat", because: "runs a program"),
        .kill("ptrace", because: "another process"),
        .kill("process_vm_readv", because: "another process"),
        .kill("process_vm_writev", because: "another process"),
        .kill("pidfd_getfd", because: "another process"),
        .kill("unshare", because: "namespaces, whose insides only root sees otherwise"),
        .kill("setns", because: "namespaces"),
        .kill("mount", because: "mounts"),
        .kill("bpf", because: "programs in the kernel"),
        .kill("perf_event_open", because: "what else the machine does"),
        .kill("userfaultfd", because: "holds the kernel up at a page of its choice"),
        .kill("io_uring_setup", because: "calls that no filter sees"),
        .kill("keyctl", because: "the user's keys"),
        .kill("add_key", because: "the user's keys"),
    ]

    /// Only memory that `RLIMIT_DATA` counts: private memory that is and stays writable. The limit does not count
    /// shared memory, memory that grows downwards, huge pages, or memory that was made read-only after it had been
    /// filled.
    private static let memory: [SystemCallRule] = [
        .allow(
            "mmap", where: .lacks(2, PROT_EXEC), .is(3, ~mappingExtras, MAP_PRIVATE),
            because: "memory; never executable, at a place of the kernel's choice"),
        .allow(
            "mmap", where: .lacks(2, PROT_EXEC), .is(3, ~mappingExtras, droppable),
            because: "getrandom's state (glibc 2.41): counted, and the kernel may take it back"),
        .fail(
            "mmap", with: EPERM, where: .has(2, PROT_EXEC),
            because: "libraries loaded late: they are loaded before the fork"),
        .allow(
            "mprotect", where: .isBelow(0, stackFloor), .is(2, ~PROT_READ, PROT_WRITE),
            because: "malloc's arenas, threads' stacks: reserved, then made writable"),
        .allow("munmap", where: .isBelow(0, stackFloor), because: "memory given back"),
        .allow(
            "mremap", where: .isBelow(0, stackFloor), .lacks(3, ~mayMove),
            because: "realloc of large blocks"),
        .allow("madvise", where: .equals(2, MADV_DONTNEED), because: "malloc, ends of threads"),
        .allow("madvise", where: .equals(2, populate), because: "the pixels"),
        .allow("madvise", where: .is(2, ~1, guardPages), because: "guard pages of threads' stacks, from glibc 2.42 on"),
        .allow("brk", because: "malloc's main arena"),
    ]

    private static let threads: [SystemCallRule] = [
        .allow(
            "clone", where: .equals(0, threadFlags), because: "decoders' threads, as glibc makes them; never a process"),
        .fail(
            "clone3", with: ENOSYS,
            because: "its flags lie in memory, where no filter sees them: glibc then takes clone"),
        .allow(
            "futex", where: .lacks(1, ~(futexFlags | 7)), because: "locks: waiting and waking, priority inheritance"),
        .allow("futex", where: .is(1, ~(futexFlags | 1), 8), because: "locks: waiting with a deadline"),
        .allow(
            "futex", where: .is(1, ~futexFlags, 10), because: "locks: waking those; requeueing with priority stays out"),
        .allow("set_robust_list", because: "a thread's start"),
        .allow("rseq", because: "a thread's start"),
        .allow("exit", because: "a thread's end"),
        .allow("exit_group", because: "the end"),
        .allow("sched_yield", because: "spinning locks"),
        .allow("sched_getaffinity", because: "how many processors there are"),
        .fail("prctl", with: EPERM, because: "decoders name their threads"),
        .allow("rt_sigaction", where: .equals(0, SIGABRT), because: "abort; no handler for anything else"),
        .allow(
            "rt_sigaction", where: .is(0, ~1, firstThreadSignal),
            because: "the two signals by which glibc cancels threads and changes their user"),
        .allow("rt_sigprocmask", because: "a thread's start, abort"),
        .allow("rt_sigreturn", because: "the end of a handler"),
        .allow("tgkill", where: .isOwnProcess(0), because: "abort: the child's own threads only"),
    ]

    private static let time: [SystemCallRule] = [
        // Negative numbers stand for the clocks of other processes.
        .allow("clock_gettime", where: .lacks(0, Int32.min), because: "where the vDSO cannot answer"),
        .allow("clock_getres", where: .lacks(0, Int32.min), because: "where the vDSO cannot answer"),
        .allow("gettimeofday", because: "where the vDSO cannot answer"),
        .allow("clock_nanosleep", where: .lacks(0, Int32.min), because: "decoders that wait for their threads"),
        .allow("nanosleep", because: "decoders that wait for their threads"),
        .allow("restart_syscall", because: "a sleep that a stop interrupted"),
    ]

    /// Calls on descriptors that the child has: the source, the pixels, the reply.
    private static let files: [SystemCallRule] = [
        .allow("read", because: "the source"),
        .allow("pread64", because: "the source"),
        .allow("readv", because: "the source"),
        .allow("lseek", because: "the source"),
        .allow("fstat", because: "the source's size"),
        .allow("close", because: "the source, at the end"),
        .allow("dup", because: "stdio over the source"),
        .allow("fcntl", where: .equals(1, F_GETFL), because: "stdio over the source"),
        .allow("fcntl", where: .equals(1, F_GETFD), because: "stdio over the source"),
        .allow(
            "fcntl", where: .equals(1, F_SETFD), because: "close-on-exec; F_SETOWN and F_SETSIG would signal others"),
        .allow("fcntl", where: .equals(1, F_DUPFD_CLOEXEC), because: "a second descriptor of the source"),
        .fail("ioctl", with: EPERM, because: "stdio asks whether it is a terminal"),
    ]

    private static let answering: [SystemCallRule] = [
        .allow("write", because: "messages of libraries, to the null device or the log"),
        .allow("writev", because: "messages of libraries"),
        .allow(
            "sendto", where: .isNull(4),
            because: "the answer, on the only socket that the child has; without descriptors, which sendmsg could carry"
        ),
    ]

    private static let questions: [SystemCallRule] = [
        .allow("getpid", because: "abort"),
        .allow("gettid", because: "abort, and a forbidden call's note"),
        .allow("getrandom", because: "seeds of hash tables"),
        .allow("getrusage", because: "how much was used"),
        .allow("sysinfo", because: "qsort asks how much memory there is"),
        .allow("prlimit64", where: .equals(0, 0), .isNull(2), because: "the limits of its own stack, read"),
    ]

    /// Opening fails with `EPERM`, and the libraries continue: iconv without its modules, libvips without a search for
    /// further modules.
    private static let withoutFiles: [SystemCallRule] = [
        .fail("openat", with: EPERM, because: "iconv's modules, overcommit (malloc): all go on without"),
        .allow("newfstatat", where: .has(3, emptyPath), because: "fstat, as glibc makes it"),
        .fail("newfstatat", with: EPERM, where: .lacks(3, emptyPath), because: "questions about paths"),
        .fail("access", with: EPERM, because: "questions about paths"),
        .fail("readlink", with: EPERM, because: "questions about paths"),
        .fail("statx", with: EPERM, because: "questions about paths"),
    ]

    private static let temporaryFiles: [SystemCallRule] = [
        .fail(
            "unlink", with: EPERM, because: "libvips and libheif remove the temporary files that they could not make"),
        .fail("umask", with: EPERM, because: "mkstemp of glib"),
    ]

    /// Fonts and character maps, in the folders that Landlock and the root allow.
    private static let readingFolders: [SystemCallRule] = [
        .allow(
            "mmap", where: .is(2, -1, PROT_READ), .equals(3, MAP_SHARED),
            because: "fontconfig's caches; files opened for reading stay so"),
        .allow(
            "mmap", where: .isBelow(0, stackFloor), .is(2, -1, PROT_READ), .equals(3, MAP_PRIVATE | MAP_FIXED),
            because: "a document in front of what is added to it"),
        .allow("openat", where: .lacks(2, writing), because: "fonts, character maps: for reading"),
        .fail("openat", with: EPERM, where: .is(2, O_ACCMODE, O_WRONLY), because: "fontconfig would renew its caches"),
        .fail("openat", with: EPERM, where: .is(2, O_ACCMODE, O_RDWR), because: "fontconfig would renew its caches"),
        .fail("mkdir", with: EPERM, because: "fontconfig would renew its caches"),
        .fail("chmod", with: EPERM, because: "fontconfig would make their folder its own"),
        .fail("link", with: EPERM, because: "fontconfig would renew its caches"),
        .fail("unlink", with: EPERM, because: "fontconfig would renew its caches"),
        .allow("newfstatat", because: "whether the fonts' folders have changed"),
        .allow("fstatfs", because: "fontconfig's caches: whether times can be trusted"),
        .allow("getdents64", because: "the fonts' folders"),
        .allow("fadvise64", because: "fontconfig's caches"),
        .allow("access", because: "fontconfig's settings, where the first file comes before the warming"),
        .allow("readlink", because: "fontconfig's settings are links"),
        .allow(
            "getcwd",
            because: "fontconfig 2.15 looks for relative names in its settings here first: \"/\", in the bare root"),
        .fail("statx", with: EPERM, because: "questions about paths"),
    ]

    private static var writing: Int32 { O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND }

    /// The flags allowed besides the kind of a mapping: `MAP_ANONYMOUS`, `MAP_DENYWRITE`, `MAP_NORESERVE`,
    /// `MAP_POPULATE`, `MAP_STACK`. All others are forbidden: `MAP_FIXED`, `MAP_GROWSDOWN`, `MAP_LOCKED`,
    /// `MAP_HUGETLB`, and future ones.
    private static var mappingExtras: Int32 { 0x20 | 0x800 | 0x4000 | 0x8000 | 0x2_0000 }

    /// `MAP_DROPPABLE` (Linux 6.11).
    private static var droppable: Int32 { 8 }

    /// `MREMAP_MAYMOVE` (a GNU extension that does not import).
    private static var mayMove: Int32 { 1 }

    /// `MADV_POPULATE_WRITE` (a GNU extension that does not import).
    private static var populate: Int32 { 23 }

    /// `MADV_GUARD_INSTALL` (Linux 6.13); `MADV_GUARD_REMOVE` follows.
    private static var guardPages: Int32 { 102 }

    /// An address between the highest mapping and the lowest address of the stack.
    ///
    /// No memory limit counts the stack. It must not be moved, since its copies are stacks too. It must not be split
    /// either, since each piece may grow. It grows by at most 8 MiB (`ChildLimits`) from the program's arguments, and
    /// the kernel leaves at least 128 MiB below them. A forked process has the same addresses.
    private static var stackFloor: UInt64 { UInt64(UInt(bitPattern: CommandLine.unsafeArgv)) - 64 << 20 }

    /// The flags with which glibc starts a thread, from 2.2 to 2.41 (clone(2)): `CLONE_VM`, `_FS`, `_FILES`,
    /// `_SYSVSEM`, `_SIGHAND`, `_THREAD`, `_SETTLS`, `_PARENT_SETTID`, `_CHILD_CLEARTID`.
    private static var threadFlags: Int32 { 0x003D_0F00 }

    /// `FUTEX_PRIVATE_FLAG` and `FUTEX_CLOCK_REALTIME`.
    private static var futexFlags: Int32 { 128 | 256 }

    /// `SIGCANCEL` of glibc; `SIGSETXID` follows.
    private static var firstThreadSignal: Int32 { 32 }

    /// `AT_EMPTY_PATH` (fcntl.h, a GNU extension that does not import): the call concerns the descriptor itself.
    private static var emptyPath: Int32 { 0x1000 }
}
