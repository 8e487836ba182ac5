/// A type of work. Each kind is counted, and can be paused, separately. The set is open: the enqueuer chooses the name.
public struct JobKind: RawRepresentable, Hashable, Sendable {
    /// The name: 1 to 32 bytes from `a-z0-9-`.
    public let rawValue: String

    /// `nil` if the text is not such a name.
    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard (1...32).contains(bytes.count), bytes.allSatisfy(Self.isNameByte) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: String) { rawValue = known }

    /// The renditions of one source.
    public static let renditions = JobKind(known: "renditions")

    /// The search for jobs, based on a résumé.
    public static let resume = JobKind(known: "resume")

    /// Replaces a stored kind that is not a name.
    static let unreadable = JobKind(known: "unreadable")

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

extension JobKind: CustomStringConvertible {
    /// The name, unchanged.
    public var description: String { rawValue }
}
