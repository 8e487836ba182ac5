internal import CLinux
internal import Synchronization

/// The file watches of this process: one inotify instance for all listeners, since Linux gives a user only 128.
///
/// No dedicated thread reads it. A waiting listener polls the instance and its own eventfd; the first to see events
/// wakes all listeners of their files. Only system calls run under the lock.
final class FileWatches: Sendable {
    static let shared = FileWatches()

    private struct State {
        /// `nil` while nobody listens.
        var instance: Descriptor?
        /// For each watch, the listeners' eventfds by their numbers.
        var listeners: [Int32: [UInt64: Descriptor]] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    /// One listener's share in a watch; the watch's last share ends it.
    final class Subscription: Sendable {
        fileprivate let instance: Descriptor
        fileprivate let watch: Int32
        fileprivate let number: UInt64
        /// Readable from an event until `take`.
        fileprivate let events: Descriptor

        fileprivate init(_ instance: Descriptor, _ watch: Int32, _ number: UInt64, _ events: Descriptor) {
            self.instance = instance
            self.watch = watch
            self.number = number
            self.events = events
        }

        deinit { FileWatches.shared.end(watch, number) }

        /// Whether an event came since the last call.
        func take() throws(SystemError) -> Bool {
            try FileWatches.shared.dispatch()
            var count: UInt64 = 0
            if read(events.number, &count, MemoryLayout<UInt64>.size) > 0 { return true }
            let number = clinux_errno()
            if number != EAGAIN && number != EINTR { throw SystemError("read", number: number) }
            return false
        }

        /// Waits until there may be an event, at most the given milliseconds.
        func wait(milliseconds: Int32) throws(SystemError) {
            var entries = [events, instance].map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
            if poll(&entries, 2, milliseconds) < 0, clinux_errno() != EINTR { throw SystemError.last("poll") }
        }
    }

    /// Listens to changes of a file's attributes from now on.
    func listen(to path: String) throws(SystemError) -> Subscription {
        let events = Descriptor(
            owning: try checking("eventfd") { eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) })
        return try state.withLock { state throws(SystemError) in
            let instance = if let known = state.instance { known } else { try Self.makeInstance() }
            // The kernel merges two watches of one file.
            let watch = try checking("inotify_add_watch") {
                inotify_add_watch(instance.number, path, UInt32(IN_ATTRIB))
            }
            state.instance = instance
            state.lastNumber += 1
            state.listeners[watch, default: [:]][state.lastNumber] = events
            return Subscription(instance, watch, state.lastNumber, events)
        }
    }

    private static func makeInstance() throws(SystemError) -> Descriptor {
        Descriptor(owning: try checking("inotify_init1") { inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)) })
    }

    private func end(_ watch: Int32, _ number: UInt64) {
        state.withLock { state in
            state.listeners[watch]?[number] = nil
            guard state.listeners[watch]?.isEmpty == true, let instance = state.instance else { return }
            inotify_rm_watch(instance.number, watch)
            state.listeners[watch] = nil
            if state.listeners.isEmpty { state.instance = nil }
        }
    }

    /// Reads all pending events and wakes the listeners of their files.
    private func dispatch() throws(SystemError) {
        try state.withLock { state throws(SystemError) in
            guard let instance = state.instance else { return }
            var buffer = [UInt8](repeating: 0, count: Self.bufferLength)
            while true {
                let count = read(instance.number, &buffer, buffer.count)
                guard count > 0 else {
                    let number = clinux_errno()
                    if number == EINTR { continue }
                    if number != EAGAIN { throw SystemError("read", number: number) }
                    return
                }
                Self.tell(buffer[..<count], &state)
            }
        }
    }

    /// An event of a watched file has sixteen bytes and no name.
    private static let bufferLength = 1024

    private static func tell(_ events: ArraySlice<UInt8>, _ state: inout State) {
        var rest = events
        while rest.count >= MemoryLayout<inotify_event>.size {
            let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            rest = rest.dropFirst(MemoryLayout<inotify_event>.size + Int(event.len))
            if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                // Events were lost: any file may have changed.
                for listeners in state.listeners.values { listeners.values.forEach(Self.wake) }
            } else {
                state.listeners[event.wd]?.values.forEach(Self.wake)
            }
        }
    }

    private static func wake(_ events: Descriptor) {
        var one: UInt64 = 1
        // A full counter is readable too.
        _ = write(events.number, &one, MemoryLayout<UInt64>.size)
    }
}
