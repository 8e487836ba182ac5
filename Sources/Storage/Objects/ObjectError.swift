public import Media

/// The reason why a store refused an operation.
public enum ObjectError: Error, Hashable, Sendable {
    /// The object or incoming file does not exist.
    case missing
    /// Another holder has the incoming file.
    case busy
    /// The disk, or the user's quota on it, is full except for the reserve; nothing was left behind.
    case noSpace(detail: String)
    /// A name is longer than the store accepts.
    case tooLong
    /// The text is not a path of an object; the reason is for people.
    case invalidPath(String)
    /// The storage no longer has the bytes as they were stored: a bad disk, or sums that do not match.
    case damaged(detail: String)
    /// The storage is not usable now.
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

    /// The call and its error, for the log. May be empty.
    public var detail: String {
        switch self {
        case .missing, .busy, .tooLong, .invalidPath: ""
        case .noSpace(let detail), .damaged(let detail), .unavailable(let detail): detail
        }
    }

    /// The failure that stands for the error in other modules.
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
    /// The message and the detail, for a log.
    public var description: String { detail.isEmpty ? message : "\(message) (\(detail))" }
}
