internal import CLinux
internal import Linux

extension ObjectError {
    /// The meaning of the kernel's error for a writer.
    init(_ error: SystemError) {
        switch error.number {
        case ENOSPC, EDQUOT, EFBIG, ENOMEM: self = .noSpace(detail: "\(error)")
        case ENAMETOOLONG: self = .tooLong
        case EWOULDBLOCK: self = .busy
        default: self = .unavailable(detail: "\(error)")
        }
    }

    /// The meaning for a caller that looks a file up. No file has a name that the file system does not accept.
    init(lookingFor error: SystemError) {
        switch error.number {
        case ENOENT, ENOTDIR, ENAMETOOLONG: self = .missing
        default: self = .unavailable(detail: "\(error)")
        }
    }
}

/// Runs calls of a module, and converts the kernel's error to the store's.
func attempt<Answer>(_ body: () throws(SystemError) -> Answer) throws(ObjectError) -> Answer {
    do throws(SystemError) { return try body() } catch { throw ObjectError(error) }
}

/// The same for a caller that looks a file up.
func lookup<Answer>(_ body: () throws(SystemError) -> Answer) throws(ObjectError) -> Answer {
    do throws(SystemError) { return try body() } catch { throw ObjectError(lookingFor: error) }
}
