internal import CLinux
internal import Linux
internal import Media

/// A child's resource limits (`setrlimit(2)`).
struct ChildLimits {
    /// Address space on top of the memory that a child may use; `nil` without `/proc`.
    private let spareByteCount: UInt64?
    private let readsFiles: Bool
    /// The maximum number of threads of one child: each takes 30 KB of the kernel's memory, which no other limit
    /// counts.
    private let threadCount: UInt64

    /// Values that are known only before the child leaves its renderer's file system.
    struct Beginning {
        /// Whether the kernel counts the child's tasks separately.
        let isCountedAlone: Bool
        /// The number of tasks on the machine, if other programs' tasks count too; `nil` without `/proc`.
        let taskCount: UInt64?
        /// The size of the pixels, which the child maps before its limits apply.
        var pixelByteCount: UInt64 = 0
        /// The size of the source: a child that may map files can map it whole.
        var sourceByteCount: UInt64 = 0

        /// - Parameter isSeparate: whether the child has a user namespace to itself.
        init(isSeparate: Bool) {
            isCountedAlone = isSeparate && ChildLimits.kernelCountsByNamespace
            taskCount = isCountedAlone ? nil : ChildLimits.machineTaskCount
        }
    }

    /// - Parameter readsFiles: whether libraries map fonts, each as a whole file.
    init(readsFiles: Bool) {
        self.readsFiles = readsFiles
        // Read in the renderer: its children inherit the answer.
        _ = Self.kernelCountsByNamespace
        // The renderer's present size; libraries that it loads later; malloc's second arena (64 MiB, briefly 128); the
        // stack.
        spareByteCount = Self.addressSpace.map { $0 + (512 << 20) + (readsFiles ? 1 << 30 : 0) }
        // dav1d uses one thread per processor, this project's decoders at most as many, libheif four more.
        threadCount = 32 + 4 * UInt64(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }

    func apply(_ limits: Limits, since beginning: Beginning) throws(SystemError) {
        // Private writable memory: the filter admits no other kind.
        try limit(RLIMIT_DATA, to: limits.memoryByteCount)
        // A second limit, on all kinds of memory. It is generous, since reserved and shared memory count as used.
        if let spareByteCount {
            let files = beginning.pixelByteCount + (readsFiles ? beginning.sourceByteCount : 0)
            try limit(RLIMIT_AS, to: files + limits.memoryByteCount + spareByteCount)
        }
        // The usual size. Threads' stacks are ordinary memory.
        try limit(RLIMIT_STACK, to: Self.stackByteCount)
        if let taskCount = taskCount(since: beginning) { try limit(__RLIMIT_NPROC, to: taskCount) }
        // Pending signals, which the kernel counts over all processes of the user.
        try limit(__RLIMIT_SIGPENDING, to: 64)
        try limit(RLIMIT_FSIZE, to: 0)
        try limit(RLIMIT_CORE, to: 0)
        try limit(RLIMIT_NOFILE, to: 64)
        // The host's clock ends a task; this limit ends a task whose host cannot.
        try limit(RLIMIT_CPU, to: UInt64(max(1, limits.wallTime.components.seconds)) * 4)
    }

    static let stackByteCount: UInt64 = 8 << 20

    /// The limit on the user's tasks in the namespace, which the kernel checks when this process starts a thread.
    ///
    /// If the tasks of other programs count too, the machine's tasks are their upper bound. Some more may start while
    /// the child runs.
    private func taskCount(since beginning: Beginning) -> UInt64? {
        if beginning.isCountedAlone { return 1 + threadCount }
        return beginning.taskCount.map { $0 + threadCount + Self.othersNewTasks }
    }

    private static let othersNewTasks: UInt64 = 2048

    private func limit(_ resource: __rlimit_resource, to value: UInt64) throws(SystemError) {
        let number = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        if setrlimit(number, &limit) == 0 { return }
        // A lower limit that the program inherited stays.
        guard clinux_errno() == EPERM, getrlimit(number, &limit) == 0 else { throw SystemError.last("setrlimit") }
        limit = rlimit(rlim_cur: min(rlim_t(value), limit.rlim_max), rlim_max: limit.rlim_max)
        try checking("setrlimit") { setrlimit(number, &limit) }
    }
}

// Values from the kernel.
extension ChildLimits {
    private static var addressSpace: UInt64? {
        guard let text = text(of: "/proc/self/statm") else { return nil }
        return number(text.prefix { $0 != UInt8(ascii: " ") }) * UInt64(getpagesize())
    }

    /// The number after the only slash: `0.20 0.18 0.12 1/80 11206`.
    private static var machineTaskCount: UInt64? {
        guard let text = text(of: "/proc/loadavg"), let slash = text.firstIndex(of: UInt8(ascii: "/")) else {
            return nil
        }
        return number(text[(slash + 1)...].prefix { $0 != UInt8(ascii: " ") })
    }

    private static func text(of path: String) -> [UInt8]? {
        try? Descriptor.open(path, O_RDONLY).bytes(at: 0, count: 64)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64 {
        digits.reduce(0) { $0 * 10 + UInt64($1 &- UInt8(ascii: "0")) }
    }

    /// Whether the kernel counts tasks per user namespace, as Linux 5.14 and later do. Older kernels count over all
    /// namespaces.
    fileprivate static let kernelCountsByNamespace: Bool = {
        var name = utsname()
        guard uname(&name) == 0 else { return false }
        let release = withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 14)
    }()
}
