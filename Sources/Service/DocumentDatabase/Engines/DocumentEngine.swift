internal import Documents
internal import JobQueue
internal import SQL

/// What differs between the databases that a `SQLDocumentStore` can have.
protocol DocumentEngine: Sendable {
    /// Runs `body` in one transaction of changes.
    ///
    /// Where transactions run beside each other, one that lost to another may run again: `body` changes nothing but the database.
    /// - Parameter owner: the person whose things are changed: such changes wait for each other. `nil` for changes of single rows.
    func write<Answer>(of owner: ID<Person>?, _ body: (any SQLSession) throws -> Answer) throws -> Answer

    /// Runs `body` in one transaction of changes, once, whatever else it does. It is committed where `isKept` says so of the answer.
    func writeOnce<Answer>(
        _ body: (any SQLSession) throws -> Answer, isKept: (Answer) -> Bool
    ) throws -> Answer

    /// Runs `body` over one state of the database.
    func read<Answer>(_ body: (any SQLSession) throws -> Answer) throws -> Answer

    /// Runs `body`, which only reads, once the changes of a person's things that have begun are there.
    func readSettled<Answer>(of owner: ID<Person>, _ body: (any SQLSession) throws -> Answer) throws -> Answer

    /// Makes changes of a person's things wait for each other until the end of the transaction.
    func lock(_ owner: ID<Person>, in session: any SQLSession) throws

    /// Adds jobs inside the transaction.
    func enqueue(_ requests: [JobRequest], in session: any SQLSession) throws -> [Enqueued]

    /// Deletes a job with its attempts inside the transaction, unless a worker has it in work.
    ///
    /// - Returns: whether the job was waiting.
    func forget(_ id: JobID, in session: any SQLSession) throws -> Bool

    /// Wakes listeners, and workers where a job was added; called after the commit. A failure to signal is no error.
    func announce(addsJobs: Bool)

    /// Whether a commit's answer can be lost on a network, so that a change that failed may be there.
    var mayHideCommits: Bool { get }

    /// Grows with every change that any process has made, before this process can read it.
    var changeNumber: Int64 { get }

    /// Makes a listener that any process wakes.
    func makeListener() throws -> any StoreListener

    /// Makes room, and overwrites what deletions have left.
    func tidy() throws

    /// The database's own faults, and those of references; a sentence each.
    func structureFaults(in session: any SQLSession) throws -> [String]

    /// The service's error for one of the database.
    func documentError(_ error: any Error) -> DocumentError
}
