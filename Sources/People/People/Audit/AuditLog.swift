public import Linux
public import Media

/// Records who did what, as lines of JSON in one or more files a day.
///
/// | share | entries | files | bytes |
/// |---|---|---|---|
/// | people | what persons and the operator do | `2026-11-23.jsonl` | six eighths |
/// | visits | what is done by links and signed addresses | `visits-2026-11-23.jsonl` | an eighth |
/// | nobody | everything else | `nobody-2026-11-23.jsonl` | an eighth |
///
/// The lines of each person are rate-limited. So are those of anonymous requests: by network, by the person whose
/// things are visited, and all together. Requests beyond a limit, and all that are refused for too many requests, are
/// counted: one line for each kind and minute has their number.
///
/// Several processes may write into one folder; each limits and counts on its own. The kernel writes a line to the disk
/// within seconds.
public final class AuditLog: Sendable {
    private let people: AuditShare
    private let visits: AuditShare
    private let nobody: AuditShare

    /// The default limit of all files together, in bytes: 10 GiB.
    public static let usualByteCount: Int64 = 10 << 30

    /// A log in a folder, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - keptDays: how many days' files are kept, including today's; at least 1.
    ///   - byteCount: the most bytes of all files. Beyond it the oldest are removed.
    ///   - warn: called with the error if an entry could not be written.
    public init(
        folder: String, keptDays: Int, byteCount: Int64 = AuditLog.usualByteCount,
        warn: @escaping @Sendable (SystemError) -> Void
    ) throws(SystemError) {
        precondition(keptDays >= 1)
        func share(_ prefix: String, _ byteCount: Int64) -> AuditShare {
            AuditShare(AuditFiles(in: folder, prefix: prefix, keptDays: keptDays, byteCount: byteCount), warn: warn)
        }
        let eighth = byteCount / 8
        people = share("", byteCount - 2 * eighth)
        visits = share("visits-", eighth)
        nobody = share("nobody-", eighth)
        try OwnerOnly.makeFolder(folder)
    }

    /// Writes an entry, or counts it. Takes some microseconds.
    ///
    /// - Parameters:
    ///   - network: where the request came from, for the limits of anonymous requests; `nil` for the entry's client.
    ///   - isRoutine: whether a person does it often, such as a read or a piece of an upload. Such entries, like
    ///     failures, have a lower limit, and take no lines of the person's changes.
    public func note(_ entry: AuditEntry, from network: String? = nil, isRoutine: Bool = false) {
        let bounds = entry.bounds(from: network ?? entry.client, isRoutine: isRoutine)
        let share = entry.actor != nil || entry.isOperators ? people : entry.owner != nil ? visits : nobody
        share.note(entry, within: bounds)
    }

    /// Writes counts that have no line yet; for a service that stops.
    public func flush() {
        for share in [people, visits, nobody] { share.flush() }
    }

    /// Every line about what a person has done or what was done with their things.
    ///
    /// - Parameter most: the most bytes that are read, from the files' end.
    public func lines(about person: ID<Person>, atMost most: Int64 = .max) throws(SystemError) -> AuditLines {
        try AuditLines(about: person, in: [people.files, visits.files], atMost: most)
    }
}

extension AuditEntry {
    fileprivate var isOperators: Bool { role == "operator" }

    /// Whether something was removed, or somebody was given or denied access.
    private var isGrave: Bool {
        action.hasPrefix("DELETE ") || ["share", "link", "guardian", "password"].contains { action.contains($0) }
    }

    /// The limits of the entry's lines; none for the operator's key.
    ///
    /// A person who deletes or shares a thousand documents in a row has a line for each, whatever else they did before.
    /// A person who never stops has 25 lines a minute, including lines with counts: some 12 MB a day.
    fileprivate func bounds(from network: String, isRoutine: Bool) -> [AuditBound] {
        if isOperators { return [] }
        if let actor {
            if isRoutine || status >= 400 {
                return [AuditBound("routine \(actor.text)", atOnce: 300, perMinute: 5)]
            }
            return [AuditBound("\(isGrave ? "grave" : "other") changes \(actor.text)", atOnce: 1000, perMinute: 5)]
        }
        let owners = owner.map { [AuditBound("owner \($0.text)", atOnce: 300, perMinute: 10)] } ?? []
        return owners + [
            AuditBound("network \(network)", atOnce: 100, perMinute: 10),
            AuditBound("all", atOnce: 1000, perMinute: 100),
        ]
    }
}
