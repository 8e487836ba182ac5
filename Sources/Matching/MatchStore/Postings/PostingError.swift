/// Why an operation of the posting store failed.
public enum PostingError: Error, Hashable, Sendable {
    /// There is no such posting.
    case notFound
    /// The database is unreachable, damaged or from a newer program.
    case unavailable(detail: String)
}

extension PostingError: CustomStringConvertible {
    /// For the operator.
    public var description: String {
        switch self {
        case .notFound: "there is no such posting"
        case .unavailable(let detail): "the postings cannot be used: \(detail)"
        }
    }
}
