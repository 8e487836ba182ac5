/// Base64 (RFC 4648), in which the tests' small compressed files are written.
enum Base64 {
    static func decoded(_ lines: [String]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var bytes: [UInt8] = []
        var bits = 0
        var count = 0
        for digit in lines.joined().utf8 where digit != UInt8(ascii: "=") {
            bits = (bits << 6 | alphabet.firstIndex(of: digit)!) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }
}
