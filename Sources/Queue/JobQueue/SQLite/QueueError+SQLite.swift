internal import GRDB
internal import Glibc
internal import Linux

extension QueueError {
    /// Converts any error of a transaction to the module's error.
    init(_ error: any Error) {
        switch error {
        case let error as QueueError: self = error
        case let error as DatabaseError:
            self = .unavailable(Trouble(error.resultCode), detail: error.message ?? "\(error.resultCode)")
        case let error as SystemError: self = .unavailable(Trouble(errorNumber: error.number), detail: "\(error)")
        default: self = .unavailable(.other, detail: "\(error)")
        }
    }
}

extension QueueError.Trouble {
    /// The fault behind one of SQLite's primary result codes (sqlite.org/rescode.html).
    init(_ code: ResultCode) {
        switch code {
        case .SQLITE_FULL: self = .full
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked
        default: self = .other
        }
    }

    /// The fault behind an error number of the kernel.
    init(errorNumber: Int32) {
        switch errorNumber {
        case ENOSPC, EDQUOT: self = .full
        case EROFS, EACCES, EPERM: self = .readOnly
        case ENOENT: self = .missing
        default: self = .other
        }
    }
}
