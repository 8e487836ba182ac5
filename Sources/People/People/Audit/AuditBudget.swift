internal import Media

/// How many lines a party may have: some at once, which come back at a steady pace.
struct AuditBound {
    /// A person, an owner, a network, or everybody.
    let party: String
    /// The lines that a party has after a pause.
    let atOnce: Int
    /// How long it takes until a line comes back.
    let pause: Duration

    /// A bound of so many lines at once, and so many a minute after that.
    init(_ party: String, atOnce: Int, perMinute: Int) {
        (self.party, self.atOnce, self.pause) = (party, atOnce, .seconds(60) / perMinute)
    }
}

/// Bounds the lines of each party. Entries beyond the bounds are counted, and one line for each kind of entry and minute
/// has their number.
///
/// A kind is an action with its status, and whom it is about. A person's kinds are bounded too, and so are the lines
/// with numbers.
struct AuditBudget {
    private var began: Instant?
    /// When each party has all its lines again, by the generic cell rate algorithm (ITU-T I.371).
    private var refillTimes: [String: Instant] = [:]
    /// The entries without lines of their own, by who did them, or else by whose things they are about.
    private var tallies: [ID<Person>?: [AuditEntry: Tally]] = [:]
    private var kindCount = 0

    private struct Tally {
        var count: Int64 = 0
        var last = Instant(microseconds: 0)
    }

    /// Entries of further parties are only counted, until others have all their lines again.
    private static let mostParties = 50_000
    /// The actions beyond these are counted together.
    private static let mostKindsOfPerson = 10
    /// Kinds beyond these are not told apart by person.
    private static let mostKinds = 1000
    private static let span = Duration.seconds(60)

    /// The entries to write now: what was counted in the minute before, and the entry itself if it gets a line.
    ///
    /// - Parameter bounds: each must have a line left. An entry without bounds always gets a line.
    mutating func entries(for entry: AuditEntry, within bounds: [AuditBound]) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        if let began, entry.time >= began + Self.span || entry.time + Self.span <= began {
            entries = takeCounts()
            // If the clock was set back, the times are of no use.
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
