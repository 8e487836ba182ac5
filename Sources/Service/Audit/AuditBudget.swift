internal import Documents

/// Bounds the lines about what changes nothing or is done by strangers: a hundred a minute of each person or network, and a thousand of all.
/// Further ones are counted, by what they are, and a line a minute has the number.
struct AuditBudget {
    private var began: Instant?
    private var lineCount = 0
    private var countsByParty: [String: Int] = [:]
    /// What has no lines of its own, and how often it was.
    private var leftOut: [AuditEntry: Tally] = [:]

    private struct Tally {
        var count: Int64 = 0
        var last = Instant(microseconds: 0)
    }

    private static let mostOfParty = 100
    private static let mostOfAll = 1000
    /// More kinds than these are not told apart by whom they are about.
    private static let mostKinds = 1000
    private static let span = Duration.seconds(60)

    /// The entries to write now: what was counted in the minute before, and the entry itself if it gets a line.
    ///
    /// - Parameter party: who has done it, a person or a network.
    mutating func entries(for entry: AuditEntry, of party: String) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        if let began, entry.time < began || entry.time >= began + Self.span { entries = takeCounts() }
        if began == nil { began = entry.time }
        if entry.isAlwaysTold || takeLine(entry, party) { return entries + [entry] }
        count(entry)
        return entries
    }

    /// What was counted since the minute began, as entries. A new minute begins with the next entry.
    mutating func takeCounts() -> [AuditEntry] {
        let counted = leftOut.map { kind, tally in
            var entry = kind
            (entry.time, entry.count) = (tally.last, tally.count)
            return entry
        }
        self = AuditBudget()
        return counted.sorted { ($0.time, $0.action, $0.status) < ($1.time, $1.action, $1.status) }
    }

    /// A refusal for too many requests never gets a line.
    private mutating func takeLine(_ entry: AuditEntry, _ party: String) -> Bool {
        guard entry.status != 429, lineCount < Self.mostOfAll, countsByParty[party, default: 0] < Self.mostOfParty
        else { return false }
        lineCount += 1
        countsByParty[party, default: 0] += 1
        return true
    }

    private mutating func count(_ entry: AuditEntry) {
        var kind = entry
        (kind.time, kind.things, kind.client, kind.request) = (Instant(microseconds: 0), nil, "", "")
        if leftOut.count >= Self.mostKinds, leftOut[kind] == nil { (kind.actor, kind.owner) = (nil, nil) }
        leftOut[kind, default: Tally()].count += 1
        leftOut[kind]?.last = entry.time
    }
}

extension AuditEntry {
    /// What the operator's key does, and what persons have changed or read.
    fileprivate var isAlwaysTold: Bool { role == "operator" || actor != nil && status < 400 }
}
