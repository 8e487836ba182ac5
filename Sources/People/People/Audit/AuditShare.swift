internal import Linux
internal import Media
internal import Synchronization

/// A share of the audit log: entries of one sort, with their own files, limit of bytes and budget of lines.
///
/// Entries of other shares take none of these.
final class AuditShare: Sendable {
    /// The files of the entries' lines.
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

    /// Writes counts that have no line yet.
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
