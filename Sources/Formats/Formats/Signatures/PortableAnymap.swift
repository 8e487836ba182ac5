/// The Netpbm formats `P1` to `P6` and the floating-point formats `PF` and `Pf`, with the picture's size as text.
enum PortableAnymap {
    /// Whether a file begins like one of these formats.
    static func isOne(_ head: Bytes) -> Bool {
        guard head[0] == UInt8(ascii: "P"), let letter = head[1], "123456fF".utf8.contains(letter) else { return false }
        var offset = 2
        return (0..<2).allSatisfy { _ in skipSpace(head, &offset) && skipNumber(head, &offset) }
    }

    /// Skips white space and comments; at least one must be present.
    private static func skipSpace(_ head: Bytes, _ offset: inout Int) -> Bool {
        let start = offset
        var inComment = false
        while let byte = head[offset], inComment || ASCII.isSpace(byte) || byte == UInt8(ascii: "#") {
            inComment = byte == UInt8(ascii: "#") || (inComment && byte != 0x0A)
            offset += 1
        }
        return offset > start
    }

    private static func skipNumber(_ head: Bytes, _ offset: inout Int) -> Bool {
        let start = offset
        while let byte = head[offset], ASCII.isDigit(byte), offset - start < 10 { offset += 1 }
        return offset > start
    }
}
