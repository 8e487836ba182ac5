/// A sort of work that can be paused and is counted by itself; an open set, chosen by whoever enqueues.
public struct JobKind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    /// A name of 1 to 32 bytes out of `a-z0-9-`; `nil` for anything else.
    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard (1...32).contains(bytes.count), bytes.allSatisfy(Self.isNameByte) else { return nil }
        self.rawValue = rawValue
    }

    private init(known: String) { rawValue = known }

    /// Renditions of one source: what `thumbd` works on.
    public static let renditions = JobKind(known: "renditions")

    /// What stands in for a stored kind that is none.
    static let unreadable = JobKind(known: "unreadable")

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

extension JobKind: CustomStringConvertible {
    public var description: String { rawValue }
}
