internal import CLinux

/// A signal to threads of other processes: the sender touches a file, and inotify wakes the listeners.
///
/// Any number of processes send and listen without registration, and a process that dies leaves nothing to clean up. All listeners of a
/// process share one inotify instance (`FileWatches`).
public struct FileSignal: Sendable {
    private let path: String
    private let file: Descriptor

    /// Opens the file, or creates it if it is missing.
    public init(path: String) throws(SystemError) {
        self.path = path
        file = try Descriptor.open(path, O_RDWR | O_CREAT, mode: OwnerOnly.file)
    }

    /// Wakes every listener.
    public func send() throws(SystemError) { try checking("futimens") { futimens(file.number, nil) } }

    /// A listener for signals from now on.
    public func makeListener() throws(SystemError) -> Listener { try Listener(path: path) }

    /// The listener of one thread: signals between two waits are not lost, and wake the thread once.
    public struct Listener: Sendable {
        private let subscription: FileWatches.Subscription

        fileprivate init(path: String) throws(SystemError) {
            subscription = try FileWatches.shared.listen(to: path)
        }

        /// Waits for a signal; `false` if none came within `limit`.
        public func wait(atMost limit: Duration) throws(SystemError) -> Bool {
            let end = Time.monotonic + limit
            while true {
                if try subscription.take() { return true }
                let rest = end - Time.monotonic
                if rest <= .zero { return false }
                // Rounded up: less than a millisecond must not become busy polling.
                try subscription.wait(milliseconds: Int32(min(rest.milliseconds.rounded(.up), 3_600_000)))
            }
        }
    }
}
