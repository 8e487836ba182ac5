internal import CLinux
package import Linux
internal import Synchronization

/// The signals that end a service, taken by one thread.
package enum Signals {
    /// Blocks the signals in this thread and in all threads that are started later. Called before any other thread is started.
    package static func block() {
        clinux_ignore_signal(SIGPIPE)
        var signals = ending
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Runs `first` at the first signal and `second` at the next; the third ends the process at once.
    package static func listen(
        first: @escaping @Sendable () -> Void, second: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        _ = try WorkerThread(name: "signals") {
            wait()
            first()
            wait()
            second()
            wait()
            _exit(130)
        }
    }

    private static func wait() {
        var signals = ending
        var number: Int32 = 0
        sigwait(&signals, &number)
    }

    /// SIGHUP is among them: closing its terminal ends the service.
    private static var ending: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        return signals
    }
}
