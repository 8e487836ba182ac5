internal import Linux
public import SQL
internal import Synchronization

/// A server as the database of a process's stores.
extension PostgreSQLDatabase {
    /// The address without its password.
    public var name: String { address.shown }

    /// PostgreSQL's.
    public var dialect: SQLDialect { .postgreSQL }

    /// The network is in between.
    public var mayHideCommits: Bool { true }

    /// The server's time.
    public var microseconds: Int64 { clock.microseconds }

    /// Takes the locks one after another.
    public func perform<Answer>(
        _ kind: SQLTransaction.Kind, _ locks: [SQLLock], isRepeatable: Bool,
        _ body: (any SQLSession) throws -> Answer
    ) throws -> Answer {
        try refreshClock()
        func locked(_ session: PostgreSQLSession) throws -> Answer {
            for lock in locks { try session.take(lock) }
            return try body(session)
        }
        return try isRepeatable ? transaction(kind, locked) : transactionOnce(kind, locked)
    }

    /// Looks once: a newer program leaves in place what this one uses.
    public func require(_ schemas: [SQLSchema]) throws {
        try read { session in for schema in schemas { try schema.check(in: session) } }
    }

    /// Wakes the listeners of this process at once, those of others soon. Where the thread of signals cannot be begun, listeners look by
    /// themselves.
    public func send(_ signal: SQLSignal) { try? notifier.started().send(signal.channel) }

    /// Counts the signals that have arrived here. Another host's change is counted within milliseconds of its commit, as it would be seen
    /// by a request that came as much earlier.
    public func count(of signal: SQLSignal) -> Int64 {
        // A number that never comes again: nothing is taken for unchanged.
        (try? notifier.started().count(signal.channel)) ?? Time.wall
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

/// The notifier of a database, whose thread and connection begin when somebody needs them.
final class LazyNotifier: Sendable {
    private let address: Address
    private let known = Mutex<Notifier?>(nil)

    init(_ address: Address) { self.address = address }

    func started() throws(SystemError) -> Notifier {
        if let notifier = known.withLock({ $0 }) { return notifier }
        let made = try Notifier(address, channels: SQLSignal.allCases.map(\.channel))
        // Of two that were made at once one ends.
        return known.withLock { known in
            let notifier = known ?? made
            known = notifier
            return notifier
        }
    }
}
