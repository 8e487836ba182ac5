internal import CLinux
internal import Linux

extension ObjectError {
    /// The meaning of the kernel's error for somebody who writes.
    init(_ error: SystemError) {
        switch error.number {
        case ENOSPC, EDQUOT, EFBIG, ENOMEM: self = .noSpace(detail: "\(error)")
        case ENAMETOOLONG: self = .tooLong
        case EWOULDBLOCK: self = .busy
        default: self = .unavailable(detail: "\(error)")
        }
    }

    /// The meaning for somebody who looks for a file: nothing has a name that the file system does not take.
    init(lookingFor error: SystemError) {
        switch error.number {
        case ENOENT, ENOTDIR, ENAMETOOLONG: self = .missing
        default: self = .unavailable(detail: "\(error)")
        }
    }
}

/// Runs calls of a module, and turns the kernel's error into the store's.
func attempt<Answer>(_ body: () throws(SystemError) -> Answer) throws(ObjectError) -> Answer {
    do throws(SystemError) { return try body() } catch { throw ObjectError(error) }
}

/// The same for somebody who looks for a file.
func lookup<Answer>(_ body: () throws(SystemError) -> Answer) throws(ObjectError) -> Answer {
    do throws(SystemError) { return try body() } catch { throw ObjectError(lookingFor: error) }
}
