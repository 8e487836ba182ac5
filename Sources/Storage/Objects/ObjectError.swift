public import Media

/// Why a store refused an operation.
public enum ObjectError: Error, Hashable, Sendable {
    /// There is no such object, or no such incoming file.
    case missing
    /// Somebody else has the incoming file.
    case busy
    /// The disk or the user's share of it is full, but for what it keeps free; nothing was left behind.
    case noSpace(detail: String)
    /// A name is longer than the store takes.
    case tooLong
    /// The text is no path of an object; the reason is for people.
    case invalidPath(String)
    /// The storage has the bytes no more as they were stored: a bad disk, or sums that do not fit.
    case damaged(detail: String)
    /// The storage cannot be used now.
    case unavailable(detail: String)

    /// One sentence for a person.
    public var message: String {
        switch self {
        case .missing: "File no longer available"
        case .busy: "This upload is being continued elsewhere. Try again."
        case .noSpace: "There is not enough space for this file. Try again later."
        case .tooLong: "The file's name is too long."
        case .invalidPath(let reason): reason
        case .damaged, .unavailable: "Files cannot be reached. Try again later."
        }
    }

    /// The call and its error, for the log; may be empty.
    public var detail: String {
        switch self {
        case .missing, .busy, .tooLong, .invalidPath: ""
        case .noSpace(let detail), .damaged(let detail), .unavailable(let detail): detail
        }
    }

    /// The error as the failure that crosses modules.
    public var failure: Failure {
        switch self {
        case .missing: Failure(.sourceMissing, message: "File not found.")
        case .invalidPath, .tooLong: Failure(.sourceMissing, message: "File not found.", detail: message)
        case .busy: Failure(.unavailable, message: message)
        case .noSpace, .damaged, .unavailable: Failure(.unavailable, message: message, detail: detail)
        }
    }
}

extension ObjectError: CustomStringConvertible {
    /// Message and detail, for a log.
    public var description: String { detail.isEmpty ? message : "\(message) (\(detail))" }
}
