internal import Linux
internal import Synchronization

/// A server as the database that all stores of a process share.
extension PostgreSQLDatabase {
    /// The SQL of PostgreSQL.
    public var dialect: SQLDialect { .postgreSQL }

    /// `true`: the network can lose a commit's answer.
    public var commitOutcomeUnknown: Bool { true }

    /// The server's time.
    public var microseconds: Int64 { clock.microseconds }

    /// Takes the locks in the order given.
    public func perform<Answer>(
        _ kind: SQLTransaction.Kind, _ locks: [SQLLock], within limit: SQLLimit?, mayRetry: Bool,
        _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer {
        try refreshClock()
        func locked(_ session: PostgreSQLSession) throws -> Answer {
            try session.take(locks)
            guard let limit else { return try body(session) }
            session.begin(limit)
            let answer = try body(session)
            // If `body` caught a stopped statement, its work may be half done.
            try session.requireTime()
            return answer
        }
        return try mayRetry ? transaction(kind, locked) : transactionOnce(kind, locked)
    }

    /// Wakes the listeners of this process immediately, and other listeners soon. A program without listeners may end
    /// before a notifier thread has connected, so it sends on the calling thread.
    public func send(_ signal: SQLSignal) {
        if let notifier = notifier.current { return notifier.send(signal.channel) }
        try? transaction(.fast) { session in _ = try session.execute("NOTIFY \(signal.channel)") }
    }

    /// Counts the signals that have arrived here. It includes another host's change within milliseconds of its commit:
    /// a request in between sees what a slightly earlier one would have seen.
    public var changeNumber: Int64 {
        // A number that never repeats, so nothing is assumed to be unchanged.
        (try? notifier.started().count(SQLSignal.changes.channel)) ?? Time.wall
    }

    /// A listener of the process's only notifier.
    public func makeListener(_ signal: SQLSignal) throws -> any SQLListener {
        try notifier.started().makeListener(signal.channel)
    }

    /// Does nothing: the server's vacuum does it.
    public func tidy() {}

    /// Empty: the server enforces references itself.
    public func structureFaults(in session: any SQLSession) -> [String] { [] }
}

extension SQLSignal {
    /// The server's name for the signal.
    var channel: String {
        switch self {
        case .jobs: "queue_arrivals"
        case .changes: "queue_changes"
        }
    }
}

/// The notifier of a database. Its thread and connection start with the first listener.
final class LazyNotifier: Sendable {
    private let address: Address
    private let known = Mutex<Notifier?>(nil)

    init(_ address: Address) { self.address = address }

    /// The notifier; `nil` if nobody has listened yet.
    var current: Notifier? { known.withLock { $0 } }

    func started() throws(SystemError) -> Notifier {
        if let current { return current }
        let made = try Notifier(address, channels: SQLSignal.allCases.map(\.channel))
        // Of two notifiers made concurrently, one ends.
        return known.withLock { known in
            let notifier = known ?? made
            known = notifier
            return notifier
        }
    }
}
