import Console
import JobQueue
import Linux
import Media

/// The output of `compass queue status`.
struct StatusReport {
    let path: String
    let status: QueueStatus
    let now: QueueInstant

    private static let states: [(state: JobState, title: String)] = [
        (.available, "waiting"), (.leased, "running"), (.done, "done"), (.dead, "dead"), (.cancelled, "cancelled"),
    ]

    private var kinds: [JobKind] {
        Set(status.counts.map(\.kind)).union(status.pausedKinds).sorted { $0.rawValue < $1.rawValue }
    }

    /// The table and lines for a person.
    var text: String {
        var rows = [[""] + Self.states.map(\.title)]
        for kind in kinds {
            let name = status.pausedKinds.contains(kind) ? "\(kind) (paused)" : kind.rawValue
            rows.append([name] + Self.states.map { Self.number(status.jobCount($0.state, of: kind)) })
        }
        if kinds.count > 1 { rows.append(["all"] + Self.states.map { Self.number(status.jobCount($0.state)) }) }
        let table = kinds.isEmpty ? "no job has been queued yet\n" : Self.table(rows)
        return "\(FilePath(path).shown)\n\n\(table)\n" + Columns.line([("rate", 7), (rate, 0)])
            + Columns.line([("oldest", 7), (oldest, 0)])
    }

    private var rate: String {
        let waiting = status.jobCount(.available)
        let perMinute = status.donePerMinute
        var text = "\(Self.decimal(perMinute)) jobs/min in the last five minutes"
        if perMinute > 0 && waiting > 0 {
            text += "; waiting jobs take \(Moment.span(.seconds(60 * Double(waiting) / perMinute))) at that rate"
        }
        return text
    }

    private var oldest: String {
        guard let since = status.oldestWaiting else { return "no job is waiting" }
        return "has waited \(Moment.span(now - since)), since \(Moment.local(since))"
    }

    /// The object that `--json` prints.
    var json: JSON {
        let kinds = kinds.map { kind in
            JSON.Member(
                kind.rawValue,
                .object(
                    Self.states.map {
                        JSON.Member($0.state.rawValue, .integer(Int64(status.jobCount($0.state, of: kind))))
                    }
                        + [JSON.Member("paused", .bool(status.pausedKinds.contains(kind)))]))
        }
        return .object([
            "queue": .string(path), "kinds": .object(kinds), "donePerMinute": .number(status.donePerMinute),
            "oldestWaiting": status.oldestWaiting.map { .string(Moment.universal($0)) },
            "oldestWaitingSeconds": status.oldestWaiting.map { .number(max(.zero, now - $0).milliseconds / 1000) },
        ])
    }

    /// Aligns names to the left and numbers to the right.
    private static func table(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }

    /// A number with thousands separated by commas: `12,345`.
    private static func number(_ value: Int) -> String {
        let digits = String(value)
        var out = ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index).isMultiple(of: 3) { out += "," }
            out.append(digit)
        }
        return out
    }

    /// A rate: with one decimal below ten, otherwise whole.
    private static func decimal(_ value: Double) -> String {
        value >= 10 || value == 0 ? number(Int(value.rounded())) : "\((value * 10).rounded() / 10)"
    }
}
