public import Media

/// Why an operation on documents failed: the one error of stores and of the service's work.
public enum DocumentError: Error, Hashable, Sendable {
    /// There is no such thing for this person, whether or not somebody else has it.
    case notFound(Subject)
    /// A field's value breaks a rule; the message is for people.
    case invalid(field: String, message: String)
    /// The type does not allow the file's name or content; the message lists what it allows.
    case refusedType(message: String, detail: String)
    /// The file is over the limit.
    case tooLarge(limit: Int64)
    /// The person's files take all of their quota, or would with this file; in bytes.
    case overQuota(used: Int64, allowed: Int64)
    /// Files without an owner take all the space that they share.
    case crowded
    /// The person has as many things of a kind as one person may have; `things` names the kind.
    case tooMany(_ things: String, most: Int)
    /// The request conflicts with the current state, such as a name that is taken.
    case conflict(message: String)
    /// Another file has the path.
    case taken
    /// A version names the file at the path: the file can be removed, but not replaced or moved.
    case referenced
    /// The right of the acting person was revoked meanwhile.
    case notAllowed
    /// A scanner has not passed the file.
    case quarantined
    /// The disk is full.
    case full(detail: String)
    /// The database, the files or a renderer cannot be used now; a retry may help.
    case unavailable(detail: String)

    /// What was not found.
    public enum Subject: String, Hashable, Sendable {
        case document = "Document"
        case version = "Version"
        case school = "School"
        case link = "Link"
        case template = "Template"
        case upload = "Upload"
        case file = "File"
        case page = "Page"
    }
}

extension DocumentError: CustomStringConvertible {
    /// The sentence for people, without paths and content.
    public var message: String {
        switch self {
        case .notFound(.file): "File no longer available"
        case .notFound(let subject): "\(subject.rawValue) not found"
        case .invalid(_, let message), .refusedType(let message, _), .conflict(let message): message
        case .tooLarge(let limit):
            "File exceeds \(Self.size(limit)) limit. Please compress or choose a smaller file."
        case .overQuota(let used, let allowed):
            "Your storage is full: \(Self.amount(used)) of \(Self.amount(allowed)) are used. Delete what you no longer need."
        case .crowded:
            "Storage for people who have not signed in is full at the moment. Sign in, or try again later."
        case .taken: "A file with this name already exists."
        case .referenced: "A document uses this file: it cannot be moved or replaced."
        case .notAllowed: "You do not have access to this person's documents, or no longer have it."
        case .tooMany(let things, let most):
            "You have reached the limit of \(most) \(things). Remove some that you no longer need."
        case .quarantined: "File is being checked for malware. Try again later."
        case .full: "The server's disk is full. Please try again later."
        case .unavailable: "Server error. Please try again."
        }
    }

    /// What the log adds to the message; may be empty.
    public var detail: String {
        switch self {
        case .refusedType(_, let detail), .full(let detail), .unavailable(let detail): detail
        case .invalid(let field, _): field
        default: ""
        }
    }

    /// Message and detail, for the log.
    public var description: String { detail.isEmpty ? message : "\(message) (\(detail))" }

    /// The error for bytes beyond a limit.
    ///
    /// - Parameter owner: whose bytes they are; `nil` for a file without an owner.
    public static func noRoom(for owner: ID<Person>?, used: Int64, allowed: Int64) -> DocumentError {
        owner == nil ? .crowded : .overQuota(used: used, allowed: allowed)
    }

    /// What people are told about a file that contains malware.
    public static let infected = "Malware was found in this file."

    /// `9.8 GB`, as the screens write it.
    private static func amount(_ byteCount: Int64) -> String {
        for (unit, name) in [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "KB")] as [(Int64, String)]
        where byteCount >= unit {
            let tenths = (byteCount + unit / 20) / (unit / 10)
            return tenths.isMultiple(of: 10) ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
        }
        return "\(byteCount) bytes"
    }

    /// `100MB`: decimal units, since the limit is a round number of them.
    private static func size(_ byteCount: Int64) -> String {
        for (unit, name) in [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "KB")] as [(Int64, String)]
        where byteCount >= unit && byteCount.isMultiple(of: unit) {
            return "\(byteCount / unit)\(name)"
        }
        return byteCount >= 1_000_000 ? "\(byteCount / 1_000_000)MB" : "\(byteCount) bytes"
    }
}
