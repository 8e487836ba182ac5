internal import Linux
internal import Synchronization

/// A server as the database of a process's stores.
extension PostgreSQLDatabase {
    /// PostgreSQL's.
    public var dialect: SQLDialect { .postgreSQL }

    /// The network is in between.
    public var mayHideCommits: Bool { true }

    /// The server's time.
    public var microseconds: Int64 { clock.microseconds }

    /// Takes the locks in their order.
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
            // What was stopped, and caught, may be half done.
            try session.requireTime()
            return answer
        }
        return try mayRetry ? transaction(kind, locked) : transactionOnce(kind, locked)
    }

    /// Wakes the listeners of this process at once, those of others soon. A program without listeners may end at once, before a thread for
    /// its signals would have connected: it sends by itself.
    public func send(_ signal: SQLSignal) {
        if let notifier = notifier.current { return notifier.send(signal.channel) }
        try? transaction(.fast) { session in _ = try session.execute("NOTIFY \(signal.channel)") }
    }

    /// Counts the signals that have arrived here. Another host's change is counted within milliseconds of its commit, as it would be seen
    /// by a request that came as much earlier.
    public var changeNumber: Int64 {
        // A number that never comes again: nothing is taken for unchanged.
        (try? notifier.started().count(SQLSignal.changes.channel)) ?? Time.wall
    }

    /// A listener of the process's one notifier.
    public func makeListener(_ signal: SQLSignal) throws -> any SQLListener {
        try notifier.started().makeListener(signal.channel)
    }

    /// The server's vacuum does it.
    public func tidy() {}

    /// The server keeps references itself.
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

/// The notifier of a database, whose thread and connection begin when somebody listens.
final class LazyNotifier: Sendable {
    private let address: Address
    private let known = Mutex<Notifier?>(nil)

    init(_ address: Address) { self.address = address }

    /// The notifier; `nil` where nobody has listened yet.
    var current: Notifier? { known.withLock { $0 } }

    func started() throws(SystemError) -> Notifier {
        if let current { return current }
        let made = try Notifier(address, channels: SQLSignal.allCases.map(\.channel))
        // Of two that were made at once one ends.
        return known.withLock { known in
            let notifier = known ?? made
            known = notifier
            return notifier
        }
    }
}
