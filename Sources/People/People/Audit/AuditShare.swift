internal import Linux
internal import Media
internal import Synchronization

/// A share of the audit log: entries of one sort, with files, a bound of bytes and a budget of lines of their own.
///
/// No entry of another share takes any of these.
final class AuditShare: Sendable {
    /// Where the entries' lines are.
    let files: AuditFiles
    private let budget = Mutex(AuditBudget())
    private let warn: @Sendable (SystemError) -> Void

    /// - Parameter warn: called with the error if an entry could not be written.
    init(_ files: AuditFiles, warn: @escaping @Sendable (SystemError) -> Void) {
        (self.files, self.warn) = (files, warn)
    }

    /// Writes an entry, or counts it if a bound has no line left.
    func note(_ entry: AuditEntry, within bounds: [AuditBound]) {
        write(budget.withLock { $0.entries(for: entry, within: bounds) })
    }

    /// Writes what was counted and has no line yet.
    func flush() { write(budget.withLock { $0.takeCounts() }) }

    private func write(_ entries: [AuditEntry]) {
        for entry in entries {
            do throws(SystemError) {
                try files.write(Array((entry.json.text + "\n").utf8), on: String(entry.time.description.prefix(10)))
            } catch {
                warn(error)
            }
        }
    }
}
