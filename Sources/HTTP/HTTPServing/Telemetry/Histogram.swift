/// A histogram of durations in Prometheus' text format.
public struct Histogram: Sendable {
    /// The buckets' upper bounds in seconds; longer durations fall into `+Inf`.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

    private var counts = [UInt64](repeating: 0, count: Self.bounds.count + 1)
    private var sum = 0.0

    /// A histogram without observations.
    public init() {}

    /// Counts one duration.
    public mutating func observe(_ seconds: Double) {
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }

    /// The lines of the series: a cumulative count for each bound, the sum, and the count.
    func lines(_ name: String, _ labels: String) -> [String] {
        var total: UInt64 = 0
        var lines: [String] = []
        let separator = labels.isEmpty ? "" : ","
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
            lines.append("\(name)_bucket{\(labels)\(separator)le=\"\(bound)\"} \(total)")
        }
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        return lines + ["\(name)_sum\(braces) \(sum)", "\(name)_count\(braces) \(total)"]
    }
}
