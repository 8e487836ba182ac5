/// Base64 (RFC 4648, clause 4).
public enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Four digits for every three bytes, padded.
    public static func encode(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var bits = part.reduce(0) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - part.count))
            for index in 0..<4 {
                out.append(index <= part.count ? digits[Int(bits >> UInt32(18 - 6 * index)) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The bytes of base64 text; characters that are not digits are skipped.
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
}
