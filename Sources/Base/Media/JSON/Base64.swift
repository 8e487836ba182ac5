/// Base64 with padding (RFC 4648, section 4).
public enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Four digits for every three bytes.
    public static func encode(_ bytes: [UInt8]) -> String { Base64.encode(bytes, digits, isPadded: true) }

    /// The bytes of a text. Characters that are not digits are skipped.
    public static func decode(_ text: String) -> [UInt8] {
        var out: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for digit in text.utf8 {
            guard let value = digits.firstIndex(of: digit) else { continue }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return out
    }

    fileprivate static func encode(_ bytes: [UInt8], _ digits: [UInt8], isPadded: Bool) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
            var count = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let byteCount = min(3, bytes.count - start)
                var bits = UInt32(bytes[start]) << 16
                if byteCount > 1 { bits |= UInt32(bytes[start + 1]) << 8 }
                if byteCount > 2 { bits |= UInt32(bytes[start + 2]) }
                for index in 0...byteCount {
                    text[count] = digits[Int(bits >> UInt32(18 - 6 * index)) & 63]
                    count += 1
                }
                for _ in byteCount..<3 where isPadded {
                    text[count] = UInt8(ascii: "=")
                    count += 1
                }
            }
            return count
        }
    }
}

/// Base64 for URLs and tokens: `-` and `_` instead of `+` and `/`, without padding (RFC 4648, section 5; RFC 7515,
/// appendix C).
public enum Base64URL {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The text of bytes.
    public static func encode(_ bytes: [UInt8]) -> String { Base64.encode(bytes, digits, isPadded: false) }

    /// The bytes of a text; `nil` if `encode` does not produce this text.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var (bits, count) = (UInt32(0), 0)
        for digit in text {
            guard let value = value(of: digit) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        // Six leftover bits are one digit too many; two or four must be zero.
        guard count < 6, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
