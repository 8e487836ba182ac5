public import SQL

/// A transaction that several calls of a store share.
///
/// Sound as `Sendable`: it is known to one thread alone, for as long as the transaction is open on that thread.
final class OpenChange: @unchecked Sendable {
    /// The change that the calls of this thread belong to.
    @TaskLocal static var current: OpenChange?

    unowned let store: SQLDocumentStore
    let session: any SQLSession
    /// Whether a call has queued a job.
    private(set) var addsJobs = false

    init(_ session: any SQLSession, of store: SQLDocumentStore) {
        self.session = session
        self.store = store
    }

    /// Runs one of the calls; where it fails, its part alone is taken back.
    func write<Answer>(addsJobs: Bool, _ body: (any SQLSession) throws -> Answer) throws -> Answer {
        let answer = try session.savepoint { try body(session) }
        self.addsJobs = self.addsJobs || addsJobs
        return answer
    }
}

extension SQLDocumentStore {
    /// The transaction of the change that this thread is in, for other stores over the same database: what they read belongs to it.
    public static var currentChange: (any SQLSession)? { OpenChange.current?.session }
}
