/// Percent-encoding as Signature Version 4 wants it: all but RFC 3986's unreserved characters, in capital hexadecimal digits.
package enum AddressEncoding {
    /// A key as the path of an address: its slashes stay.
    package static func path(_ key: String) -> String { encoded(key, keepsSlash: true) }

    /// A name or value of a query.
    package static func query(_ text: String) -> String { encoded(text, keepsSlash: false) }

    /// Whether a byte stands for itself: letters and digits of ASCII, and four marks.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func encoded(_ text: String, keepsSlash: Bool) -> String {
        var out: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || (keepsSlash && byte == UInt8(ascii: "/")) {
                out.append(byte)
            } else {
                out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
