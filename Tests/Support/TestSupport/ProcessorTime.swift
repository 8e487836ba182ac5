internal import Glibc

/// The time that a thread is on a processor. Unlike wall-clock time, it hardly grows on a busy machine.
public enum ProcessorTime {
    /// Measures a body, without the time of other threads that work for it.
    public static func measure(_ body: () throws -> Void) rethrows -> Duration {
        let start = now
        try body()
        return now - start
    }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
