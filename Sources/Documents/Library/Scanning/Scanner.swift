public import Objects

/// Looks for malware in files, outside the service's process.
public protocol Scanner: Sendable {
    /// Scans a whole object. Blocks for up to the scanner's time limit.
    ///
    /// - Throws: `ScanError` if there is no verdict; then the file has not passed.
    func scan(_ object: any ObjectReader) throws(ScanError) -> ScanVerdict
}

/// A scanner's verdict on a file.
public enum ScanVerdict: Hashable, Sendable {
    /// Nothing was found.
    case clean
    /// Malware was found, by the name that the scanner gives it.
    case infected(name: String)
}

/// Why a scanner gave no verdict.
public enum ScanError: Error, Hashable, Sendable {
    /// The scanner is unreachable, or has closed the connection.
    case unreachable(detail: String)
    /// The scanner refuses the file, such as one over its own limit.
    case refused(detail: String)
    /// The file cannot be read.
    case unreadable(detail: String)
}

extension ScanError: CustomStringConvertible {
    /// One line for the log.
    public var description: String {
        switch self {
        case .unreachable(let detail): "the scanner is unreachable: \(detail)"
        case .refused(let detail): "the scanner refused the file: \(detail)"
        case .unreadable(let detail): "the file cannot be read: \(detail)"
        }
    }
}
