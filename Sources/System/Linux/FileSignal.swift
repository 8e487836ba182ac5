internal import CLinux

/// A signal to threads of other processes: the sender touches a file, and inotify wakes the listeners.
///
/// Any number of processes send and listen without registration, and a process that dies leaves nothing to clean up.
public struct FileSignal: Sendable {
    private let path: String
    private let file: Descriptor

    /// Opens the file, and makes it where it is missing.
    public init(path: String) throws(SystemError) {
        self.path = path
        file = try Descriptor.open(path, O_RDWR | O_CREAT, mode: 0o660)
    }

    /// Wakes every listener.
    public func send() throws(SystemError) { try checking("futimens") { futimens(file.number, nil) } }

    /// A listener for the signals from now on.
    public func makeListener() throws(SystemError) -> Listener { try Listener(path: path) }

    /// The listener of one thread: signals between two waits are not lost, and wake the thread once.
    public struct Listener: Sendable {
        private let events: Descriptor

        fileprivate init(path: String) throws(SystemError) {
            events = Descriptor(
                owning: try checking("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) })
            try checking("inotify_add_watch") { inotify_add_watch(events.number, path, UInt32(IN_ATTRIB)) }
        }

        /// Waits for a signal; `false` where none came within `limit`.
        public func wait(atMost limit: Duration) throws(SystemError) -> Bool {
            var entry = pollfd(fd: events.number, events: Int16(POLLIN), revents: 0)
            let end = Time.monotonic + limit
            while true {
                // Rounded up: a rest of less than a millisecond must not turn into busy polling.
                let rest = max(0, (end - Time.monotonic).milliseconds.rounded(.up))
                let count = poll(&entry, 1, Int32(min(rest, 3_600_000)))
                if count > 0 { return try drain() }
                if count < 0, clinux_errno() != EINTR { throw SystemError.last("poll") }
                if Time.monotonic >= end { return false }
            }
        }

        /// Discards all pending events.
        private func drain() throws(SystemError) -> Bool {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while read(events.number, &buffer, buffer.count) > 0 {}
            let number = clinux_errno()
            if number != EAGAIN && number != EINTR { throw SystemError("read", number: number) }
            return true
        }
    }
}
