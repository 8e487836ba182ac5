internal import Media

/// The name of an incoming file: 32 hexadecimal digits that nobody can guess.
public struct IncomingID: RawRepresentable, Hashable, Sendable {
    /// The digits in lower case, as an address carries them.
    public let rawValue: String

    /// `nil` unless the text is such a name.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == 32, rawValue.utf8.allSatisfy("0123456789abcdef".utf8.contains) else { return nil }
        self.rawValue = rawValue
    }

    /// A new name, from the system's generator.
    public static func random() -> IncomingID {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return IncomingID(rawValue: Hex.string(bytes))!
    }
}

extension IncomingID: CustomStringConvertible {
    /// The digits as they are.
    public var description: String { rawValue }
}
