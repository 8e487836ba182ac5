internal import CLinux
package import Media

/// What the children of each class may ask of the kernel; everything else ends them, and the failure names the call.
///
/// Found by tracing on Debian 12 and 13 (x86-64) over clean and damaged files. No list has a call that opens a connection, runs
/// a program, receives a descriptor, looks at another process, or makes memory executable.
extension SystemCallRule {
    package static func all(for rendererClass: RendererClass) -> [SystemCallRule] {
        memory + threads + time + files + answering + questions + particular(to: rendererClass)
    }

    private static func particular(to rendererClass: RendererClass) -> [SystemCallRule] {
        switch rendererClass {
        case .sniff, .video, .plain: withoutFiles
        case .image: withoutFiles + temporaryFiles
        case .pdf, .svg: readingFolders
        }
    }

    private static let memory: [SystemCallRule] = [
        .allow("mmap", where: .lacks(2, PROT_EXEC), because: "memory, and the pixels; never executable"),
        .fail(
            "mmap", with: EPERM, where: .has(2, PROT_EXEC),
            because: "libraries loaded late: they are loaded before the fork"),
        .allow("mprotect", where: .lacks(2, PROT_EXEC), because: "malloc's arenas, guard pages of stacks"),
        .allow("munmap", because: "memory given back"),
        .allow("mremap", because: "realloc of large blocks"),
        .allow("madvise", because: "malloc, ends of threads"),
        .allow("brk", because: "malloc's main arena"),
    ]

    private static let threads: [SystemCallRule] = [
        .allow("clone", where: .has(0, threadFlags), because: "decoders' threads; never a process"),
        .fail(
            "clone3", with: ENOSYS,
            because: "its flags lie in memory, where no filter sees them: glibc then takes clone"),
        .allow("futex", because: "locks"),
        .allow("set_robust_list", because: "a thread's start"),
        .allow("rseq", because: "a thread's start"),
        .allow("exit", because: "a thread's end"),
        .allow("exit_group", because: "the end"),
        .allow("sched_yield", because: "spinning locks"),
        .allow("sched_getaffinity", because: "how many processors there are"),
        .fail("prctl", with: EPERM, because: "decoders name their threads"),
        .allow("rt_sigaction", because: "abort, and glib's handlers"),
        .allow("rt_sigprocmask", because: "a thread's start, abort"),
        .allow("rt_sigreturn", because: "the end of a handler"),
        .allow("sigaltstack", because: "handlers on a stack of their own"),
        .allow("tgkill", where: .isOwnProcess(0), because: "abort: the child's own threads only"),
    ]

    private static let time: [SystemCallRule] = [
        .allow("clock_gettime", because: "where the vDSO cannot answer"),
        .allow("clock_getres", because: "where the vDSO cannot answer"),
        .allow("gettimeofday", because: "where the vDSO cannot answer"),
        .allow("clock_nanosleep", because: "decoders that wait for their threads"),
        .allow("nanosleep", because: "decoders that wait for their threads"),
        .allow("restart_syscall", because: "a sleep that a stop interrupted"),
    ]

    /// On descriptors that the child has: the source, the pixels, the reply.
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
        .allow("sendmsg", because: "the answer, on the only socket that the child has"),
    ]

    private static let questions: [SystemCallRule] = [
        .allow("getpid", because: "abort"),
        .allow("gettid", because: "abort, and a forbidden call's note"),
        .allow("getrandom", because: "seeds of hash tables"),
        .allow("getrusage", because: "how much was used"),
        .allow("sysinfo", because: "qsort asks how much memory there is"),
        .allow("prlimit64", where: .equals(0, 0), .equals(2, 0), because: "the limits of its own stack, read"),
    ]

    /// Opening fails as if nothing were allowed, and the libraries go on: iconv without its modules, libvips without
    /// a look for more of them.
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

    /// Fonts and character maps; which folders those are, Landlock and the root say.
    private static let readingFolders: [SystemCallRule] = [
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

    /// `CLONE_VM` and `CLONE_THREAD` (sched.h, GNU extensions that do not import).
    private static var threadFlags: Int32 { 0x0000_0100 | 0x0001_0000 }

    /// `AT_EMPTY_PATH` (fcntl.h, a GNU extension that does not import): the descriptor itself is meant.
    private static var emptyPath: Int32 { 0x1000 }
}
