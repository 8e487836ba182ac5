/// Counts of a run's actions and findings.
struct Tally {
    var seed: UInt64 = 0
    var mode = ""
    var seconds = 0
    var counts: [(name: String, count: Int)] = []

    mutating func add(_ name: String, _ number: Int = 1) {
        if let index = counts.firstIndex(where: { $0.name == name }) {
            counts[index].count += number
        } else {
            counts.append((name, number))
        }
    }

    subscript(name: String) -> Int { counts.first { $0.name == name }?.count ?? 0 }

    /// As a table in Markdown.
    var table: String {
        let head = "| \(mode), seed \(seed), \(seconds) s | count |\n|---|---|\n"
        return head + counts.map { "| \($0.name) | \($0.count) |\n" }.joined()
    }
}
