/// Explained differences, one a line: `path <tab> fact <tab> reason`. A path that ends with `*` matches all paths with
/// this beginning.
struct Explanations {
    private var reasons: [(path: String, fact: String, reason: String)] = []

    init(path: String) {
        for line in (TextFile.read(path) ?? "").split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t").map(String.init)
            if columns.count == 3 { reasons.append((columns[0], columns[1], columns[2])) }
        }
    }

    func reason(for difference: Difference) -> String? {
        reasons.first { entry in
            let fits =
                entry.path.hasSuffix("*")
                ? difference.path.hasPrefix(entry.path.dropLast()) : difference.path == entry.path
            return fits && entry.fact == difference.fact
        }?.reason
    }
}

/// The outcome of the whole corpus.
struct Tally {
    private var renditions = 0
    private var failures: [String: Int] = [:]
    private var differences: [Difference] = []

    mutating func count(_ outcome: Outcome) {
        if let failure = outcome.failure { failures[failure, default: 0] += 1 } else { renditions += 1 }
    }

    mutating func add(_ difference: Difference) { differences.append(difference) }

    func isClean(explained: Explanations) -> Bool {
        renditions > 0 && differences.allSatisfy { explained.reason(for: $0) != nil }
    }

    func print(explained: Explanations) {
        for difference in differences {
            let reason = explained.reason(for: difference)
            let mark = reason == nil ? "UNEXPLAINED" : "explained"
            Swift.print(
                "\(mark)\t\(difference.path)\t\(difference.fact)\t\(difference.ours)\t\(difference.theirs)\t\(reason ?? "-")"
            )
        }
        let parts = failures.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        Swift.print("\(renditions) renditions, " + parts.joined(separator: ", "))
        let unexplained = differences.filter { explained.reason(for: $0) == nil }.count
        Swift.print("\(differences.count) differences from the manifest, \(unexplained) unexplained")
    }
}
