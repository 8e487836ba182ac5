internal import Database
public import Media

/// The reason why the queue refused an operation, which has changed nothing.
public enum QueueError: Error, Hashable, Sendable {
    /// The token is out of date: the lease was reclaimed, or the job was cancelled. Drop the work.
    case leaseLost
    case noSuchJob(JobID)
    /// The job's state does not allow the operation.
    case wrongState(JobID, JobState)
    /// The job cannot be requeued, because an equal job is unfinished.
    case duplicate(of: JobID)
    /// The request is invalid: for example, it has no recipe or no source.
    case invalid(String)
    /// The file is not a queue, or is a queue of an older version: migrate it.
    case notMigrated(detail: String)
    /// A newer program has migrated the file: upgrade this one.
    case newerSchema(found: Int, known: Int)
    /// The tables date from before the first release: start with an empty database.
    case formerSchema(detail: String)
    /// The storage is not usable now.
    case unavailable(Trouble, detail: String)

    /// The faults of the storage.
    public enum Trouble: String, Hashable, Sendable, CaseIterable {
        case full
        case readOnly
        case corrupt
        /// Another process held the write lock for longer than the busy timeout.
        case locked
        case missing
        case other

        init(_ trouble: SQLTrouble) {
            self =
                switch trouble {
                case .full: .full
                case .readOnly: .readOnly
                case .corrupt: .corrupt
                case .locked: .locked
                case .missing: .missing
                case .stopped, .tooComplex, .other: .other
                }
        }
    }

    /// The queue's error for any error of a database.
    public init(_ error: any Error) {
        switch error {
        case let error as QueueError: self = error
        case let error as any SQLFault: self = .unavailable(Trouble(error.trouble), detail: error.description)
        case SQLSchema.Mismatch.older(_, let found, let known):
            self = .notMigrated(detail: "version \(found) of \(known)")
        case SQLSchema.Mismatch.newer(_, let found, let known): self = .newerSchema(found: found, known: known)
        case let error as SQLSchema.Mismatch: self = .formerSchema(detail: error.description)
        default: self = .unavailable(.other, detail: "\(error)")
        }
    }
}

extension QueueError: CustomStringConvertible {
    /// The reason in words for a log, with the remedy.
    public var description: String {
        switch self {
        case .leaseLost: "the lease was lost: another worker may have the job"
        case .noSuchJob(let id): "job \(id) does not exist"
        case .wrongState(let id, let state): "job \(id) is \(state.rawValue), which does not allow this"
        case .duplicate(let id): "job \(id) is identical and unfinished: wait for it or cancel it"
        case .invalid(let reason): reason
        case .notMigrated(let detail): "the queue's tables are missing or old (\(detail)): migrate the database first"
        case .newerSchema(let found, let known):
            "the queue's tables are of version \(found), this program knows \(known): upgrade this program"
        case .formerSchema(let detail): detail
        case .unavailable(let trouble, let detail): "the queue's database is \(trouble.words) (\(detail))"
        }
    }

    /// The failure that stands for the error in other modules.
    public var failure: Failure {
        switch self {
        case .noSuchJob, .wrongState, .duplicate, .invalid: Failure(.usage, detail: description)
        case .leaseLost: Failure(.cancelled, detail: description)
        case .notMigrated, .newerSchema, .formerSchema, .unavailable: Failure(.unavailable, detail: description)
        }
    }
}

extension QueueError.Trouble {
    /// The fault and its remedy.
    var words: String {
        switch self {
        case .full: "on a full disk: free some space"
        case .readOnly: "read-only: check the owner, mode and mount of the file and its folder"
        case .corrupt: "damaged: restore it, or recover it with sqlite3's .recover"
        case .locked: "locked by another process: try again"
        case .missing: "missing: check the path"
        case .other: "unreachable"
        }
    }
}
