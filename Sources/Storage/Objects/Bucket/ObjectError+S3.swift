internal import S3

extension ObjectError {
    /// The meaning of a store's fault.
    init(_ fault: S3Fault) {
        switch fault {
        // An object that is replaced while it is being read is gone for its reader.
        case .missing, .changed: self = .missing
        case .corrupted: self = .damaged(detail: "\(fault)")
        case .full: self = .noSpace(detail: "\(fault)")
        default: self = .unavailable(detail: "\(fault)")
        }
    }
}

/// Runs calls of a client, and converts its faults to the store's errors.
func asking<Answer>(_ body: () throws(S3Fault) -> Answer) throws(ObjectError) -> Answer {
    do throws(S3Fault) { return try body() } catch { throw ObjectError(error) }
}
