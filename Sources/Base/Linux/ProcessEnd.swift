public import CLinux

/// How a child process ended, and the resources that it used.
public struct ProcessEnd: Hashable, Sendable {
    /// The exit status; 0 if a signal ended the process.
    public let status: Int32
    /// The signal that ended the process, or 0.
    public let signal: Int32
    /// User and system time in microseconds.
    public let processorTime: UInt64
    /// The largest resident size, in bytes.
    public let peakByteCount: UInt64

    /// Waits for a child's end and reaps it: afterwards another process may get its number.
    public init(reaping processID: pid_t) {
        var status: Int32 = 0
        var usage = rusage()
        while wait4(processID, &status, 0, &usage) < 0, clinux_errno() == EINTR {}
        signal = status & 0x7F
        self.status = signal == 0 ? (status >> 8) & 0xFF : 0
        processorTime = Self.microseconds(usage.ru_utime) + Self.microseconds(usage.ru_stime)
        peakByteCount = UInt64(usage.ru_maxrss) * 1024
    }

    /// Waits for a child's end without reaping it: no other process can get its number.
    public static func wait(for processID: pid_t) {
        var end = siginfo_t()
        while waitid(P_PID, id_t(processID), &end, WEXITED | WNOWAIT) < 0, clinux_errno() == EINTR {}
    }

    private static func microseconds(_ time: timeval) -> UInt64 {
        UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_usec)
    }
}
