/// One metric with all its series in Prometheus' text format.
public struct MetricFamily: Sendable {
    /// The family's lines, each with its end.
    public let text: String

    private init(_ name: String, _ type: String, _ help: String, _ lines: [String]) {
        text = (["# HELP \(name) \(help)", "# TYPE \(name) \(type)"] + lines).joined(separator: "\n") + "\n"
    }

    /// A metric that only grows.
    ///
    /// - Parameter series: values by their labels (`a="b",c="d"`), which the program itself chooses and need no
    ///   escaping.
    public static func counter(_ name: String, _ help: String, _ series: [String: UInt64]) -> MetricFamily {
        MetricFamily(name, "counter", help, lines(name, series.mapValues { "\($0)" }))
    }

    /// A metric that goes up and down.
    public static func gauge(_ name: String, _ help: String, _ series: [String: Double]) -> MetricFamily {
        MetricFamily(name, "gauge", help, lines(name, series.mapValues { "\($0)" }))
    }

    /// Durations, by their labels.
    public static func histogram(_ name: String, _ help: String, _ series: [String: Histogram]) -> MetricFamily {
        MetricFamily(
            name, "histogram", help, series.sorted { $0.key < $1.key }.flatMap { $0.value.lines(name, $0.key) })
    }

    private static func lines(_ name: String, _ series: [String: String]) -> [String] {
        series.sorted { $0.key < $1.key }.map { labels, value in
            labels.isEmpty ? "\(name) \(value)" : "\(name){\(labels)} \(value)"
        }
    }
}
