internal import Media

/// The identity of one `Subject`: a UUID, so that identities of different things cannot be mixed up.
///
/// New ones are of version 7 (RFC 9562, §5.7): they begin with the time, so later ones sort after earlier ones.
public struct ID<Subject>: Sendable {
    /// The 16 bytes in network order.
    public let bytes: [UInt8]

    /// The identity with these 16 bytes; `nil` for another count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// An identity from a UUID's text: 36 characters with hyphens, in either case; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let characters = Array(text.utf8)
        guard characters.count == 36, Self.hyphens.allSatisfy({ characters[$0] == UInt8(ascii: "-") }) else {
            return nil
        }
        let digits = characters.indices.filter { !Self.hyphens.contains($0) }.map { characters[$0] }
        guard let bytes = Hex.bytes(digits) else { return nil }
        self.bytes = bytes
    }

    /// A new identity of version 7.
    ///
    /// - Parameter moment: the time that it begins with, to the millisecond.
    public static func make(at moment: Instant) -> ID {
        var random = SystemRandomNumberGenerator()
        var bytes = withUnsafeBytes(of: UInt64(bitPattern: moment.microseconds / 1000).bigEndian) {
            Array($0.dropFirst(2))
        }
        for _ in 0..<10 { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        return ID(bytes: bytes)!
    }

    /// The UUID in lower case with hyphens.
    public var text: String {
        let digits = Array(Hex.string(bytes))
        return String(digits.indices.flatMap { [8, 12, 16, 20].contains($0) ? ["-", digits[$0]] : [digits[$0]] })
    }

    private static var hyphens: [Int] { [8, 13, 18, 23] }
}

extension ID: Hashable, Comparable, CustomStringConvertible {
    /// Whether `left` sorts before `right`, byte by byte.
    public static func < (left: ID, right: ID) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }

    /// The UUID, as in `text`.
    public var description: String { text }
}

/// Someone who has documents or acts for somebody who has.
public enum Person {}

/// All versions of one document.
public enum Line {}
