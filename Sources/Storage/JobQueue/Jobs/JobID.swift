/// A job's number. The queue assigns numbers in ascending order, and none twice.
public struct JobID: RawRepresentable, Hashable, Comparable, Sendable {
    /// The number as commands and JSON show it.
    public let rawValue: Int64

    /// The ID for a number; the job need not exist.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Whether `left` was enqueued before `right`.
    public static func < (left: JobID, right: JobID) -> Bool { left.rawValue < right.rawValue }
}

extension JobID: CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { String(rawValue) }
}
