/// The SHA-256 of a source's bytes: its identity in the cache.
///
/// 32 bytes, printed as 64 lower-case hexadecimal digits (FIPS 180-4). This module only carries the value;
/// `Hashing.SHA256` computes it.
public struct Digest: Hashable, Sendable {
    /// How many bytes a digest has.
    public static let byteCount = 32

    /// The 32 bytes, most significant first.
    public let bytes: [UInt8]

    /// A digest of exactly 32 bytes; `nil` for any other count.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A digest from 64 hexadecimal digits of either case; `nil` for anything else.
    public init?(hex: some StringProtocol) {
        guard let bytes = Hex.bytes(Array(hex.utf8)) else { return nil }
        self.init(bytes: bytes)
    }

    /// 64 lower-case hexadecimal digits.
    public var hex: String { Hex.string(bytes) }
}

extension Digest: CustomStringConvertible {
    /// The hexadecimal digits, as in `hex`.
    public var description: String { hex }
}

/// Conversion between bytes and hexadecimal digits.
public enum Hex {
    /// Two lower-case digits per byte.
    public static func string(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var out: [UInt8] = []
        for byte in bytes {
            out.append(digits[Int(byte >> 4)])
            out.append(digits[Int(byte & 15)])
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The bytes of pairs of digits of either case; `nil` if a character is not a digit or the count is odd.
    public static func bytes(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The value of one ASCII digit of either case.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
