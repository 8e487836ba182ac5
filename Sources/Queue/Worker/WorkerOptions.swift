/// How a worker works.
public struct WorkerOptions: Hashable, Sendable {
    /// What other workers and a job's history know this one by; no two that live have the same.
    public var name: String
    /// Jobs of any priority that run at once.
    public var slotCount: Int
    /// Further jobs that may run at once if they are interactive: who looks at a placeholder never waits for a long job of
    /// another kind to end.
    public var urgentSlotCount = 1
    /// How long a claim holds without a word; three heartbeats fall into it.
    public var lease: Duration = .seconds(30)
    /// How long a waiting slot sleeps at most before it looks again.
    public var longestSleep: Duration = .seconds(60)
    /// The pause after the first trouble with queue or cache; each further one doubles it.
    public var firstPause: Duration = .milliseconds(250)
    public var longestPause: Duration = .seconds(15)

    public init(name: String, slotCount: Int) {
        self.name = name
        self.slotCount = max(1, slotCount)
    }

    /// How often leases are renewed.
    var heartbeatInterval: Duration { lease / 3 }
}
