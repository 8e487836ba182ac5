/// A job's number. The queue assigns it, ascending, and never twice.
public struct JobID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number as commands and JSON show it.
    public let rawValue: Int64

    /// The job with a number, which need not exist.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Whether `left` was enqueued before `right`.
    public static func < (left: JobID, right: JobID) -> Bool { left.rawValue < right.rawValue }
}

extension JobID: CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { String(rawValue) }
}
