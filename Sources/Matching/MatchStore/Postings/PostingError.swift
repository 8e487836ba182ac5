/// Why the store of postings did not do what it was asked for.
public enum PostingError: Error, Hashable, Sendable {
    /// There is no such posting.
    case notFound
    /// The database is out of reach, damaged or a newer program's.
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
