internal import Documents
internal import GRDB

/// A transaction that several calls of a store share.
///
/// Sound as `Sendable`: it is known to one thread alone, for as long as the transaction is open on that thread.
final class OpenChange: @unchecked Sendable {
    /// The change that the calls of this thread belong to.
    @TaskLocal static var current: OpenChange?

    unowned let store: SQLiteDocumentStore
    private let table: DocumentTable
    /// Whether a call has queued a job.
    private(set) var addsJobs = false

    init(_ table: DocumentTable, of store: SQLiteDocumentStore) {
        self.table = table
        self.store = store
    }

    /// Runs one of the calls; where it fails, its part alone is taken back.
    func write<Answer>(addsJobs: Bool, _ body: (DocumentTable) throws -> Answer) throws(DocumentError) -> Answer {
        do {
            var answer: Answer?
            try table.database.inSavepoint {
                answer = try body(table)
                return .commit
            }
            self.addsJobs = self.addsJobs || addsJobs
            return answer!
        } catch {
            throw DocumentError(error)
        }
    }

    func read<Answer>(_ body: (DocumentTable) throws -> Answer) throws(DocumentError) -> Answer {
        do {
            return try body(table)
        } catch {
            throw DocumentError(error)
        }
    }
}
