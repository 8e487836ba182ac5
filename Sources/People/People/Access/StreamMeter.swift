internal import Media

/// Limits how many event streams each person and each network holds open at once: a stream keeps its connection as long
/// as its client likes. Each process counts on its own. Thread-safe.
public struct StreamMeter: Sendable {
    private let persons: ConcurrencyMeter
    private let networks: ConcurrencyMeter

    /// - Parameters:
    ///   - perPerson: the streams of one person. A browser opens at most six connections to a server.
    ///   - perNetwork: the streams from one network, whoever opens them. A school's pupils share one network.
    public init(perPerson: Int = 16, perNetwork: Int = 128) {
        persons = ConcurrencyMeter(atOnce: perPerson)
        networks = ConcurrencyMeter(atOnce: perNetwork)
    }

    /// An open stream. It ends by `end`, or at the latest when it is released.
    public struct Turn: Sendable {
        fileprivate let turns: [MeteredTurn]

        /// Lets the caller open another one.
        public func end() {
            for turn in turns { turn.end() }
        }
    }

    /// Counts a stream that is about to be opened. The operator's key has no limit.
    ///
    /// - Throws: `tooManyRequests`.
    public func begin(of caller: Caller?, from network: String) throws(AccessError) -> Turn {
        switch caller?.role {
        case .operator: Turn(turns: [])
        case .person: Turn(turns: [try persons.begin(caller!.actor.text), try networks.begin(network)])
        case .anonymous, nil: Turn(turns: [try networks.begin(network)])
        }
    }
}
