/// Percent-encoding (RFC 3986, 2.1).
public enum PercentEncoding {
    /// The bytes with `%41` and the like decoded; a percent sign before anything else stays, as in browsers.
    ///
    /// - Parameter isForm: whether `+` is a space, as in forms and query strings.
    public static func decode(_ text: some Sequence<UInt8>, isForm: Bool = false) -> [UInt8] {
        let bytes = Array(text)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "%"), place + 1 < bytes.count,
                let high = value(bytes[place]), let low = value(bytes[place + 1])
            {
                decoded.append(high << 4 | low)
                place += 2
            } else {
                decoded.append(isForm && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return decoded
    }

    /// The text with all bytes encoded except letters, digits and the characters in `kept`, which is ASCII.
    public static func encode(_ text: String, keeping kept: String = "-._~") -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: encoded.append(byte)
            case _ where kept.utf8.contains(byte): encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x37
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }
}
