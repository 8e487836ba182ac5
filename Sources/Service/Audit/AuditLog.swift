public import Documents
public import Linux
internal import Media
internal import Synchronization

/// Keeps what was done, in files a day of lines in JSON: what persons and the operator have done, or what was done with a person's things, in
/// `2026-11-23.jsonl`, and everything else in `nobody-2026-11-23.jsonl`.
///
/// The second kind has an eighth of all bytes, so strangers' tries displace no line about a person. What fails, or is done by strangers, is
/// bounded by the minute; what goes beyond, and all refusals for too many requests, are counted in one line a minute and kind.
///
/// Several processes may write into one folder; each bounds and counts for itself. A line is on the disk within seconds, as the kernel writes
/// it.
public final class AuditLog: Sendable {
    private let people: AuditFiles
    private let nobody: AuditFiles
    private let warn: @Sendable (SystemError) -> Void
    private let budgets = Mutex((people: AuditBudget(), nobody: AuditBudget()))

    /// The bytes of all files together if nothing else is said: 10 GiB.
    public static let usualByteCount: Int64 = 10 << 30

    /// A log in a folder, which is made where it is missing.
    ///
    /// - Parameters:
    ///   - keptDays: how many days' files are kept, today's with them; at least 1.
    ///   - byteCount: the most bytes of all files. Beyond it the oldest go.
    ///   - warn: told where an entry could not be written.
    public init(
        folder: String, keptDays: Int, byteCount: Int64 = AuditLog.usualByteCount,
        warn: @escaping @Sendable (SystemError) -> Void
    ) throws(SystemError) {
        precondition(keptDays >= 1)
        people = AuditFiles(in: folder, keptDays: keptDays, byteCount: byteCount - byteCount / 8)
        nobody = AuditFiles(in: folder, prefix: "nobody-", keptDays: keptDays, byteCount: byteCount / 8)
        self.warn = warn
        try OwnerOnly.makeFolder(folder)
    }

    /// Writes an entry, or counts it. Takes some microseconds.
    ///
    /// - Parameter network: where it came from, for the bound of what strangers do; `nil` for the entry's client.
    public func note(_ entry: AuditEntry, from network: String? = nil) {
        let party = entry.actor?.text ?? network ?? entry.client
        let entries = budgets.withLock { budgets in
            entry.isAboutSomebody
                ? budgets.people.entries(for: entry, of: party) : budgets.nobody.entries(for: entry, of: party)
        }
        write(entries)
    }

    /// Writes what was counted and has no line yet; for a service that ends.
    public func flush() {
        write(budgets.withLock { $0.people.takeCounts() + $0.nobody.takeCounts() })
    }

    private func write(_ entries: [AuditEntry]) {
        for entry in entries {
            let line = Array((entry.json.text + "\n").utf8)
            do throws(SystemError) {
                let files = entry.isAboutSomebody ? people : nobody
                try files.write(line, on: String(entry.time.description.prefix(10)))
            } catch {
                warn(error)
            }
        }
    }

    /// Every line about what a person has done or what was done with their things.
    ///
    /// - Parameter most: how many bytes of the files are read, the latest ones.
    public func lines(about person: ID<Person>, atMost most: Int64 = .max) throws(SystemError) -> AuditLines {
        try AuditLines(about: person, in: people, atMost: most)
    }
}

extension AuditEntry {
    /// Whether a person is known to whom it matters, or the operator has done it.
    fileprivate var isAboutSomebody: Bool { actor != nil || owner != nil || role == "operator" }
}
