internal import CLinux
package import Linux
internal import Synchronization

/// The signals that end a service: SIGTERM, SIGINT and SIGHUP. SIGHUP is included because closing its terminal ends the
/// service, too.
///
/// One thread receives them and counts the time left until the end. It takes no lock, allocates nothing and waits for
/// no other thread. So it ends the process in time even if everything else hangs.
package struct Signals: Sendable {
    /// Has a byte for each signal received.
    private let taken: Descriptor
    /// What runs after the next signals.
    private let bodies = Bodies()

    /// The most time that an end takes in addition to that for running requests and jobs (`--drain`). A supervisor
    /// waits a little longer.
    package static let endTime: Duration = .seconds(4)

    /// The exit status if the end takes too long.
    private static let lateStatus: Int32 = 3
    /// The exit status after a second signal.
    private static let interruptedStatus: Int32 = 130
    /// The time left after a second signal.
    private static let hurriedTime: Duration = .seconds(2)

    /// Blocks the signals in this thread and in all threads that are started later, and starts to receive them. Call it
    /// before any other thread is started.
    ///
    /// - Parameter grace: the time from the first signal to the end of the process.
    package static func take(endingWithin grace: Duration) throws(SystemError) -> Signals {
        clinux_ignore_signal(SIGPIPE)
        var signals = ending
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        var ends: (Int32, Int32) = (-1, -1)
        try checking("pipe") {
            withUnsafeMutableBytes(of: &ends) { pipe($0.baseAddress!.assumingMemoryBound(to: Int32.self)) }
        }
        let (taken, noting) = (Descriptor(owning: ends.0), Descriptor(owning: ends.1))
        for end in [taken, noting] { _ = clinux_fcntl(end.number, F_SETFD, Int(FD_CLOEXEC)) }
        _ = try WorkerThread(name: "signals") { count(noting: noting, grace) }
        return Signals(taken: taken)
    }

    /// Runs `first` after the first signal and `second` after the next, on their own thread; both may block. The third
    /// signal ends the process at once.
    package func listen(
        first: @escaping @Sendable () -> Void, second: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        bodies.waiting.withLock { $0 = [first, second] }
        let (taken, bodies) = (taken, bodies)
        _ = try WorkerThread(name: "ending") {
            for _ in 0..<2 {
                var byte: UInt8 = 0
                while read(taken.number, &byte, 1) < 0, clinux_errno() == EINTR {}
                bodies.waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
            }
        }
    }

    /// Releases the bodies that have not run, and what they hold. The thread lives until the process ends, and
    /// databases close only when nothing holds them.
    package func forget() {
        let rest = bodies.waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        withExtendedLifetime(rest) {}
    }

    private final class Bodies: Sendable {
        let waiting = Mutex<[@Sendable () -> Void]>([])
    }

    private static func count(noting note: Descriptor, _ grace: Duration) {
        var count = 0
        var end: Duration?
        while true {
            guard wait(until: end) else { break }
            count += 1
            if count == 3 { break }
            let limit = Time.monotonic + (count == 1 ? grace : hurriedTime)
            end = end.map { min($0, limit) } ?? limit
            // This write cannot block: a pipe has room for more.
            var byte: UInt8 = 1
            _ = write(note.number, &byte, 1)
        }
        if count > 1 { _exit(interruptedStatus) }
        tellLateEnd()
        _exit(lateStatus)
    }

    /// Waits for a signal; `false` if none comes in time.
    private static func wait(until end: Duration?) -> Bool {
        var signals = ending
        guard let end else {
            var number: Int32 = 0
            return sigwait(&signals, &number) == 0
        }
        while true {
            let rest = max(end - Time.monotonic, .zero).components
            var time = timespec(tv_sec: Int(rest.seconds), tv_nsec: Int(rest.attoseconds / 1_000_000_000))
            if sigtimedwait(&signals, nil, &time) > 0 { return true }
            if clinux_errno() != EINTR { return false }
        }
    }

    /// Writes a line if standard error can take one now: its reader may hang as well.
    private static func tellLateEnd() {
        var state = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
        guard poll(&state, 1, 0) == 1 else { return }
        let line: StaticString = "forced exit: the service did not shut down in time\n"
        // Another writer may fill the pipe first. SIGALRM ends the process then.
        alarm(1)
        _ = write(2, line.utf8Start, line.utf8CodeUnitCount)
    }

    private static var ending: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        return signals
    }
}
