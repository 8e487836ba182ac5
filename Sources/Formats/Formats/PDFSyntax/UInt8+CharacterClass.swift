extension UInt8 {
    /// Whether this is a white-space character (ISO 32000-1, table 1).
    var isWhiteSpace: Bool { self == 0 || self == 9 || self == 10 || self == 12 || self == 13 || self == 32 }

    /// Whether this is a regular character: neither white space nor a delimiter (7.2.2).
    var isRegular: Bool {
        switch self {
        case 0, 9, 10, 12, 13, 32: false
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "/"), UInt8(ascii: "%"):
            false
        default: true
        }
    }

    /// The value of a decimal digit.
    var digit: Int? { (48...57).contains(self) ? Int(self) - 48 : nil }
}
