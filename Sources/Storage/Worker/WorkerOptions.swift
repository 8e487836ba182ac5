/// A worker's name, its slots, and the times of leases, sleeps and pauses.
public struct WorkerOptions: Hashable, Sendable {
    /// The name in leases, attempts and the registry; no two living workers share one.
    public var name: String
    /// The number of jobs of any priority that run at once.
    public var slotCount: Int
    /// The number of further slots for interactive jobs alone, so that these never wait for a long job to end.
    public var urgentSlotCount = 1
    /// How long a claim holds without a heartbeat. A heartbeat is sent every third of this time.
    public var lease: Duration = .seconds(30)
    /// The longest sleep of a waiting slot before it claims again.
    public var longestSleep: Duration = .seconds(60)
    /// The pause after the first failure of queue, cache or store; each further failure doubles it.
    public var firstPause: Duration = .milliseconds(250)
    /// The longest pause after a failure of queue, cache or store.
    public var longestPause: Duration = .seconds(15)

    /// Options with the usual times.
    public init(name: String, slotCount: Int) {
        self.name = name
        self.slotCount = max(1, slotCount)
    }

    /// The interval between renewals of the leases.
    var heartbeatInterval: Duration { lease / 3 }
}
