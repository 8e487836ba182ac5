/// Characters as Haskell shows them, which PostgREST's messages quote.
enum HaskellText {
    /// A character as a text of one, such as `"x"`.
    static func quoted(_ scalar: Unicode.Scalar) -> String {
        "\"" + (scalar == "\"" ? "\\\"" : escaped(scalar)) + "\""
    }

    /// A character as one, such as `'x'`.
    static func quotedCharacter(_ scalar: Unicode.Scalar) -> String {
        "'" + (scalar == "'" ? "\\'" : escaped(scalar)) + "'"
    }

    private static let controls = [
        "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a", "b", "t", "n", "v", "f", "r", "SO", "SI", "DLE", "DC1",
        "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
    ]

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0..<0x20: "\\" + controls[Int(scalar.value)]
        case 0x5C: "\\\\"
        case 0x7F: "\\DEL"
        case 0x80...: "\\" + String(scalar.value)
        default: String(Character(scalar))
        }
    }
}
