internal import CLinux
internal import Media

/// What a child gives up before it reads the first byte of media.
enum Confinement {
    /// Ends with its parent, gains nothing by executing, cannot be traced by its like, and keeps to its limits.
    static func apply(_ limits: Limits) {
        guard clinux_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL), 0, 0, 0) == 0,
            clinux_prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0,
            clinux_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0
        else { _exit(1) }
        limit(RLIMIT_DATA, to: limits.memoryByteCount)
        limit(RLIMIT_FSIZE, to: 0)
        limit(RLIMIT_CORE, to: 0)
        limit(RLIMIT_NOFILE, to: 64)
        // The host's clock ends a job; this ends one whose host cannot.
        limit(RLIMIT_CPU, to: UInt64(max(1, limits.wallTime.components.seconds)) * 4)
    }

    private static func limit(_ resource: __rlimit_resource, to value: UInt64) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { _exit(1) }
    }
}
