/// Reads the parts of a header field's value from left to right (RFC 9110, 5.6).
struct FieldScanner {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    var isAtEnd: Bool { place == bytes.count }

    var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 { place += 1 }
    }

    /// Takes a byte if it comes next.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        place += 1
        return true
    }

    /// One or more token characters; `nil` if none comes next.
    mutating func token() -> String? {
        let bytes = run(of: Self.isTokenByte)
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes before the first that fails the test.
    mutating func run(of isMember: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = place
        while let byte = next, isMember(byte) { place += 1 }
        return bytes[start..<place]
    }

    /// A quoted string's content; `isEscaped` says which bytes a backslash escapes.
    ///
    /// - Returns: `nil` if no quoted string comes next, or if it does not end.
    mutating func quotedString(isEscaped: (UInt8) -> Bool = { _ in true }) -> [UInt8]? {
        guard take("\"") else { return nil }
        var content: [UInt8] = []
        while let byte = next {
            place += 1
            if byte == UInt8(ascii: "\"") { return content }
            if byte == UInt8(ascii: "\\"), let protected = next, isEscaped(protected) {
                content.append(protected)
                place += 1
            } else {
                content.append(byte)
            }
        }
        return nil
    }

    /// An unsigned decimal number; `nil` if there is none, or if it has more than 18 digits.
    mutating func number() -> Int64? {
        let digits = run { (0x30...0x39).contains($0) }
        guard (1...18).contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// The separator of a list with optional white space around it; empty elements are skipped (RFC 9110, 5.6.1).
    ///
    /// - Returns: `false` if no separator comes next.
    mutating func skipComma() -> Bool {
        var isSeparated = false
        skipSpace()
        while take(",") {
            isSeparated = true
            skipSpace()
        }
        return isSeparated
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
