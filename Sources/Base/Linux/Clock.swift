internal import CLinux

/// The kernel's clocks.
public enum Time {
    /// The time since an arbitrary moment, which no change of the wall clock affects.
    public static var monotonic: Duration { duration(of: CLOCK_MONOTONIC) }

    /// Wall-clock time in nanoseconds since 1970.
    public static var wall: Int64 { nanoseconds(of: CLOCK_REALTIME) }

    /// The wall clock of the kernel's file timestamps; it lags by up to a few milliseconds.
    public static var wallAsFilesSeeIt: Int64 { nanoseconds(of: CLOCK_REALTIME_COARSE) }

    private static func duration(of clock: clockid_t) -> Duration { .nanoseconds(nanoseconds(of: clock)) }

    private static func nanoseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Suspends this thread for a duration.
    public static func sleep(_ duration: Duration) {
        let end = monotonic + duration
        while monotonic < end {
            var rest = timespec(end - monotonic)
            nanosleep(&rest, nil)
        }
    }
}

extension Duration {
    /// The duration in milliseconds, with fractions.
    public var milliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}

extension timespec {
    /// A duration as seconds and nanoseconds; a negative one becomes zero.
    package init(_ duration: Duration) {
        let (seconds, attoseconds) = max(duration, .zero).components
        self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
