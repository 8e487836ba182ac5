internal import Media

/// How many lines a party may have: a burst at once, refilled at a steady rate.
struct AuditBound {
    /// A person, an owner, a network, or everybody.
    let party: String
    /// The lines that a party has after a pause.
    let atOnce: Int
    /// How long it takes to refill one line.
    let pause: Duration

    /// A bound with a burst of `atOnce` lines, refilled at `perMinute`.
    init(_ party: String, atOnce: Int, perMinute: Int) {
        (self.party, self.atOnce, self.pause) = (party, atOnce, .seconds(60) / perMinute)
    }
}

/// Limits the lines of each party. Entries beyond the bounds are counted: one line for each kind of entry and minute
/// has their number.
///
/// A kind is an action with its status, and whom it is about. The kinds of a person are limited too, and so are the
/// lines with numbers.
struct AuditBudget {
    private var began: Instant?
    /// When each party's lines are all refilled, by the generic cell rate algorithm (ITU-T I.371).
    private var refillTimes: [String: Instant] = [:]
    /// The entries without lines of their own, by who did them, or else by whose things they are about.
    private var tallies: [ID<Person>?: [AuditEntry: Tally]] = [:]
    private var kindCount = 0

    private struct Tally {
        var count: Int64 = 0
        var last = Instant(microseconds: 0)
    }

    /// Entries of further parties are only counted, until other parties' lines are all refilled.
    private static let mostParties = 50_000
    /// The most actions of a person that are counted separately.
    private static let mostKindsOfPerson = 10
    /// The most kinds that are counted separately by person.
    private static let mostKinds = 1000
    private static let span = Duration.seconds(60)

    /// The entries to write now: the counts of the minute before, and the entry itself if it gets a line.
    ///
    /// - Parameter bounds: each must have a line left. An entry without bounds always gets a line.
    mutating func entries(for entry: AuditEntry, within bounds: [AuditBound]) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        if let began, entry.time >= began + Self.span || entry.time + Self.span <= began {
            entries = takeCounts()
            // If the clock was set back, the times are useless.
            refillTimes = entry.time < began ? [:] : refillTimes.filter { $0.value > entry.time }
        }
        if began == nil { began = entry.time }
        if takeLine(entry, bounds) { return entries + [entry] }
        count(entry)
        return entries
    }

    /// What was counted since the minute began, as entries. A new minute begins with the next entry.
    mutating func takeCounts() -> [AuditEntry] {
        let counted = tallies.values.joined().map { kind, tally in
            var entry = kind
            (entry.time, entry.count) = (tally.last, tally.count)
            return entry
        }
        (began, tallies, kindCount) = (nil, [:], 0)
        return counted.sorted { ($0.time, $0.action, $0.status) < ($1.time, $1.action, $1.status) }
    }

    /// A refusal for too many requests never gets a line.
    private mutating func takeLine(_ entry: AuditEntry, _ bounds: [AuditBound]) -> Bool {
        if bounds.isEmpty { return true }
        guard entry.status != 429 else { return false }
        var times: [(party: String, time: Instant)] = []
        for bound in bounds {
            let known = refillTimes[bound.party]
            let time = max(known ?? entry.time, entry.time) + bound.pause
            guard known != nil || refillTimes.count < Self.mostParties,
                time <= entry.time + bound.pause * bound.atOnce
            else { return false }
            times.append((bound.party, time))
        }
        for (party, time) in times { refillTimes[party] = time }
        return true
    }

    private mutating func count(_ entry: AuditEntry) {
        var kind = entry
        (kind.time, kind.things, kind.client, kind.request) = (Instant(microseconds: 0), nil, "", "")
        if kindCount >= Self.mostKinds, !isCounted(kind) { (kind.actor, kind.owner) = (nil, nil) }
        if !isCounted(kind) {
            if tallies[kind.person, default: [:]].count >= Self.mostKindsOfPerson {
                (kind.action, kind.status) = (AuditEntry.otherActions, 0)
            }
            if !isCounted(kind) { kindCount += 1 }
        }
        tallies[kind.person, default: [:]][kind, default: Tally()].count += 1
        tallies[kind.person]?[kind]?.last = entry.time
    }

    private func isCounted(_ kind: AuditEntry) -> Bool { tallies[kind.person]?[kind] != nil }
}

extension AuditEntry {
    /// The action of a line that stands for requests of several actions; its status is 0.
    static let otherActions = "**"

    /// Who did it, or else whose things it is about.
    fileprivate var person: ID<Person>? { actor ?? owner }
}
