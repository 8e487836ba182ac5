internal import Documents
internal import GRDB
internal import JobQueue
internal import Linux

extension DocumentError {
    /// Converts any error of a transaction to the service's error.
    init(_ error: any Error) {
        switch error {
        case let error as DocumentError: self = error
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
            self = .full(detail: error.message ?? "the database cannot grow")
        case let error as DatabaseError:
            self = .unavailable(detail: "database: \(error.message ?? "\(error.resultCode)")")
        case QueueError.unavailable(.full, let detail): self = .full(detail: "queue: \(detail)")
        case let error as QueueError: self = .unavailable(detail: "queue: \(error)")
        case let error as SystemError: self = .unavailable(detail: "\(error)")
        default: self = .unavailable(detail: "\(error)")
        }
    }
}
