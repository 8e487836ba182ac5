internal import CLinux
internal import Linux
internal import Media

/// What a child gives up before it reads the first byte of media: prepared once in the renderer, applied in every child.
struct Confinement {
    /// What of it this machine does not give, for people; empty is best.
    let notes: [String]

    /// The renderer, whose end is its children's.
    private let renderer = getpid()
    private let filter: SystemCallFilter?

    /// Prepares every layer that the kernel has.
    ///
    /// - Throws: `unavailable` where a layer is there but cannot be prepared: nothing is opened with less than could be had.
    init(of rendererClass: RendererClass) throws(Failure) {
        var notes: [String] = []
        do throws(SystemError) {
            filter = try Self.filter(of: rendererClass, notes: &notes)
        } catch {
            throw Failure(.unavailable, detail: "confinement: \(error)")
        }
        self.notes = notes
    }

    /// Ends with its renderer, gains nothing by executing, cannot be traced by its like, keeps to its limits, and makes
    /// no system call that is not on its class's list. The filter comes last: it has none of the calls before it.
    func apply(_ limits: Limits, note: ForbiddenCallNote) throws(SystemError) {
        try attribute(PR_SET_PDEATHSIG, UInt(SIGKILL))
        // The renderer may have died before the line above.
        if getppid() != renderer { _exit(1) }
        try attribute(PR_SET_NO_NEW_PRIVS, 1)
        try attribute(PR_SET_DUMPABLE, 0)
        try limit(RLIMIT_DATA, to: limits.memoryByteCount)
        try limit(RLIMIT_FSIZE, to: 0)
        try limit(RLIMIT_CORE, to: 0)
        try limit(RLIMIT_NOFILE, to: 64)
        // The host's clock ends a job; this ends one whose host cannot.
        try limit(RLIMIT_CPU, to: UInt64(max(1, limits.wallTime.components.seconds)) * 4)
        try note.install()
        try filter?.load()
    }

    private static func filter(
        of rendererClass: RendererClass, notes: inout [String]
    ) throws(SystemError) -> SystemCallFilter? {
        #if arch(x86_64)
            // EINVAL: a kernel without seccomp filters.
            if clinux_prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0 {
                notes.append("NO SYSTEM CALL FILTER: this kernel has no seccomp")
                return nil
            }
            return try SystemCallFilter(SystemCallRule.all(for: rendererClass))
        #else
            notes.append("NO SYSTEM CALL FILTER: its lists are written for x86-64")
            return nil
        #endif
    }

    private func attribute(_ option: Int32, _ value: UInt) throws(SystemError) {
        try checking("prctl") { clinux_prctl(option, value, 0, 0, 0) }
    }

    private func limit(_ resource: __rlimit_resource, to value: UInt64) throws(SystemError) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        try checking("setrlimit") { setrlimit(__rlimit_resource_t(resource.rawValue), &limit) }
    }
}
