/// The time that each step took, in the order in which the steps first ran.
public struct Timings: Sendable {
    /// Each step once, by its name.
    public private(set) var steps: [(name: String, duration: Duration)] = []

    /// No steps yet.
    public init() {}

    /// Adds to a step's time, or appends the step.
    public mutating func add(_ name: String, _ duration: Duration) {
        if let index = steps.firstIndex(where: { $0.name == name }) {
            steps[index].duration += duration
        } else {
            steps.append((name, duration))
        }
    }

    /// The sum of all steps.
    public var total: Duration { steps.reduce(.zero) { $0 + $1.duration } }
}
