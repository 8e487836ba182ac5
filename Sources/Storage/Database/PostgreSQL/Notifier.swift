internal import CLinux
public import Linux
internal import Synchronization

/// Signals between processes through a PostgreSQL server, with one connection and one thread per process.
///
/// NOTIFY takes a server-wide lock at its commit. So no transaction of a store contains one: stores call `send` after
/// their commit. This thread sends at most one NOTIFY per channel in each `pause`, whatever the number of changes.
/// Listeners poll while there is no connection, or behind a pooler that does not forward notifications. The notifier
/// counts as connected once a signal of its own has come back.
public final class Notifier: Sendable {
    private let line: SignalLine

    /// Starts the thread.
    ///
    /// - Parameter channels: the names of the signals, in lower case letters and underscores.
    public init(_ address: Address, channels: [String]) throws(SystemError) {
        let line = try SignalLine(address, channels)
        self.line = line
        _ = try WorkerThread(name: "pg-notifier") { line.run() }
    }

    deinit { line.end() }

    /// Wakes the listeners of a channel: in this process immediately, in other processes soon.
    public func send(_ channel: String) { line.send(channel) }

    /// The number of signals of a channel so far, from this process or another. While signals cannot arrive, every call
    /// counts, so nothing is assumed to be unchanged.
    public func count(_ channel: String) -> Int64 {
        line.state.withLock { state in
            if !state.isConnected { state.counts[channel]! += 1 }
            return state.counts[channel]!
        }
    }

    /// Whether signals of other processes arrive now.
    public var isConnected: Bool { line.state.withLock { $0.isConnected } }

    /// A listener for the signals from now on.
    public func makeListener(_ channel: String) -> Listener {
        Listener(line: line, channel: channel, seen: line.state.withLock { $0.counts[channel]! })
    }

    /// The listener of one thread. Signals between two waits are not lost, and wake the thread once.
    public final class Listener: SQLListener {
        private let line: SignalLine
        private let channel: String
        private let seen: Mutex<Int64>

        fileprivate init(line: SignalLine, channel: String, seen: Int64) {
            self.line = line
            self.channel = channel
            self.seen = Mutex(seen)
        }

        /// Waits for a signal, or until it is time to poll without one.
        ///
        /// - Returns: `false` if there was none within `limit`.
        public func wait(atMost limit: Duration) -> Bool {
            let (promise, count, isConnected) = line.state.withLock { state in
                (state.next[channel]!, state.counts[channel]!, state.isConnected)
            }
            let before = seen.withLock { seen in
                defer { seen = count }
                return seen
            }
            if count != before { return true }
            let pause = isConnected ? Self.lookingPause : Self.blindPause
            if promise.wait(until: Time.monotonic + min(limit, pause)) == nil { return pause < limit }
            seen.withLock { $0 = line.state.withLock { $0.counts[channel]! } }
            return true
        }

        /// How long a listener waits before it polls, which compensates for a lost notification.
        private static let lookingPause: Duration = .seconds(15)
        /// The same while signals cannot arrive.
        private static let blindPause: Duration = .seconds(1)
    }
}

/// The state that the notifier's thread shares with other threads.
private final class SignalLine: Sendable {
    private let address: Address
    private let channels: [String]
    /// The channel of this process's own signal. Its return proves that signals arrive.
    private let echo = "compass_echo_\(UInt64.random(in: 0...(.max)))"
    let state: Mutex<State>
    /// A socket pair; a byte in it wakes the thread.
    private let wakeUp: (reading: Descriptor, writing: Descriptor)

    struct State {
        /// The channels to notify.
        var pending: Set<String> = []
        /// The number of signals so far for each channel.
        var counts: [String: Int64]
        /// The promise that the next signal of each channel fulfils.
        var next: [String: Promise<Void>]
        var isConnected = false
        var isEnded = false
    }

    /// The minimum time between two NOTIFYs.
    private static let pause: Duration = .milliseconds(5)
    /// The time between two attempts to connect.
    private static let connectPause: Duration = .seconds(1)
    /// How long the server may be silent while an answer is due.
    private static let silenceLimit: Duration = .seconds(35)

    init(_ address: Address, _ channels: [String]) throws(SystemError) {
        self.address = address
        self.channels = channels
        state = Mutex(
            State(
                counts: Dictionary(uniqueKeysWithValues: channels.map { ($0, 0) }),
                next: Dictionary(uniqueKeysWithValues: channels.map { ($0, Promise()) })))
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        try checking("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
        wakeUp = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    }

    func send(_ channel: String) {
        signal([channel])
        state.withLock { _ = $0.pending.insert(channel) }
        wake()
    }

    func end() {
        state.withLock { $0.isEnded = true }
        wake()
    }

    private func wake() {
        var byte: UInt8 = 0
        // If the socket is full, the thread is awake.
        _ = write(wakeUp.writing.number, &byte, 1)
    }

    private func signal(_ channels: some Sequence<String>) {
        let woken = state.withLock { state in
            channels.compactMap { channel -> Promise<Void>? in
                guard let promise = state.next[channel] else { return nil }
                state.counts[channel]! += 1
                state.next[channel] = Promise()
                return promise
            }
        }
        for promise in woken { promise.fulfil(()) }
    }

    func run() {
        var connection: ServerConnection?
        while !state.withLock({ $0.isEnded }) {
            do throws(PostgreSQLError) {
                let open: ServerConnection
                if let connection { open = connection } else { open = try connect() }
                connection = open
                try sendPending(on: open)
                hear(Set(try open.notifications()))
                if !waitForWork(open) { try check(open) }
            } catch {
                // Meanwhile, listeners poll, in other processes too.
                connection = nil
                state.withLock { $0.isConnected = false }
                Time.sleep(Self.connectPause)
            }
        }
    }

    private func connect() throws(PostgreSQLError) -> ServerConnection {
        let connection = try ServerConnection(address, patience: Self.silenceLimit)
        for channel in channels + [echo] { try connection.send("LISTEN \(channel)") }
        _ = try connection.receive()
        // Another connection sends it: behind a pooler, a connection may receive only its own notifications.
        try Self.notify([echo], on: try ServerConnection(address, patience: Self.silenceLimit))
        return connection
    }

    private func hear(_ heard: Set<String>) {
        guard heard.contains(echo) else { return signal(heard) }
        // Earlier signals are unknown.
        signal(channels)
        state.withLock { $0.isConnected = true }
    }

    private func sendPending(on connection: ServerConnection) throws(PostgreSQLError) {
        let pending = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        if pending.isEmpty { return }
        do throws(PostgreSQLError) {
            try Self.notify(pending, on: connection)
            try refuseDemoted(connection)
        } catch {
            state.withLock { $0.pending.formUnion(pending) }
            throw error
        }
        Time.sleep(Self.pause)
    }

    /// Takes one round trip. Without the setting, a NOTIFY would wait for the disk; a session setting would stay for a
    /// pooler's next client.
    private static func notify(
        _ channels: some Sequence<String>, on connection: ServerConnection
    ) throws(PostgreSQLError) {
        try connection.send("BEGIN")
        try connection.send("SET LOCAL synchronous_commit = off")
        for channel in channels { try connection.send("NOTIFY \(channel)") }
        try connection.send("COMMIT")
        _ = try connection.receive()
    }

    /// Checks, after a long silence, whether the server is still the right one.
    private func check(_ connection: ServerConnection) throws(PostgreSQLError) {
        try connection.send("SELECT 1")
        _ = try connection.receive()
        try refuseDemoted(connection)
    }

    /// A former primary receives no signals.
    private func refuseDemoted(_ connection: ServerConnection) throws(PostgreSQLError) {
        if connection.isDemoted { throw .disconnected(message: "the server no longer accepts changes") }
    }

    /// - Returns: whether there is work; `false` after a long time without any.
    private func waitForWork(_ connection: ServerConnection) -> Bool {
        var entries = [
            pollfd(fd: wakeUp.reading.number, events: Int16(POLLIN), revents: 0),
            pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&entries, 2, 60_000)
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(wakeUp.reading.number, &bytes, bytes.count)
        return count != 0
    }
}
