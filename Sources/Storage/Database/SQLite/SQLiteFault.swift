internal import GRDB
internal import Glibc
internal import Linux

/// The reason why an operation on an SQLite file failed.
public struct SQLiteFault: SQLFault, Hashable {
    /// The kind of problem with the file.
    public let trouble: SQLTrouble
    /// The fault in words, without the values of a statement.
    public let description: String
    /// Whether the file may have been damaged, or overwritten in place.
    var isDamage = false

    static func replaced(_ path: String) -> SQLiteFault {
        SQLiteFault(trouble: .missing, description: "the file \(path) was removed or replaced: restart the program")
    }

    static let forReading = SQLiteFault(trouble: .readOnly, description: "the file was opened for reading")

    /// The fault behind an error of the driver, or of the kernel while the file is being opened; any other error
    /// unchanged.
    static func known(_ error: any Error) -> any Error {
        switch error {
        case let error as DatabaseError:
            SQLiteFault(
                trouble: SQLTrouble(error.resultCode),
                description: error.message ?? "\(error.resultCode)",
                isDamage: [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode))
        case let error as SystemError:
            SQLiteFault(trouble: SQLTrouble(errorNumber: error.number), description: "\(error)")
        default: error
        }
    }
}

extension SQLTrouble {
    /// The trouble behind one of SQLite's primary result codes (sqlite.org/rescode.html).
    fileprivate init(_ code: ResultCode) {
        switch code {
        case .SQLITE_FULL: self = .full
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked
        case .SQLITE_INTERRUPT: self = .stopped
        default: self = .other
        }
    }

    /// The trouble behind an error number of the kernel.
    fileprivate init(errorNumber: Int32) {
        switch errorNumber {
        case ENOSPC, EDQUOT: self = .full
        case EROFS, EACCES, EPERM: self = .readOnly
        case ENOENT: self = .missing
        default: self = .other
        }
    }
}
