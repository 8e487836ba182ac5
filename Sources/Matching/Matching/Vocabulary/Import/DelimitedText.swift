/// Rows of fields with a separator: CSV (RFC 4180), or tab-separated text without quotes.
///
/// An unclosed quote breaks only its own row: reading continues at the line after the row's first line.
public struct DelimitedText: Sendable {
    /// A row with the line of the text on which it begins.
    public struct Row: Hashable, Sendable {
        /// From 1.
        public let line: Int
        /// The fields without their quotes.
        public let fields: [String]
        /// Whether text followed a closing quote, or a quote was not closed within `longestField` bytes.
        public let isBroken: Bool
    }

    /// The longest quoted field, in bytes.
    public static let longestField = 128 << 10

    private let bytes: [UInt8]
    private let separator: UInt8
    private let hasQuotes: Bool
    private var index = 0
    private var line = 1

    /// Comma-separated values (RFC 4180); a byte order mark is skipped.
    public static func commas(_ bytes: [UInt8]) -> DelimitedText {
        DelimitedText(bytes: bytes, separator: UInt8(ascii: ","), hasQuotes: true)
    }

    /// Tab-separated values: quotes are text.
    public static func tabs(_ bytes: [UInt8]) -> DelimitedText {
        DelimitedText(bytes: bytes, separator: UInt8(ascii: "\t"), hasQuotes: false)
    }

    private init(bytes: [UInt8], separator: UInt8, hasQuotes: Bool) {
        self.bytes = bytes
        self.separator = separator
        self.hasQuotes = hasQuotes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// The next row; `nil` at the end. Empty lines are skipped.
    public mutating func next() -> Row? {
        while index < bytes.count, bytes[index] == 0x0A || bytes[index] == 0x0D { skipLineEnd() }
        guard index < bytes.count else { return nil }
        let (start, first) = (line, index)
        var fields: [String] = []
        var isBroken = false
        while true {
            if hasQuotes && peek == UInt8(ascii: "\"") {
                guard let field = quoted(&isBroken) else {
                    (line, index) = (start, first)
                    skipLine()
                    return Row(line: start, fields: fields, isBroken: true)
                }
                fields.append(field)
            } else {
                fields.append(plain())
            }
            guard peek == separator else { break }
            index += 1
        }
        if index < bytes.count { skipLineEnd() }
        return Row(line: start, fields: fields, isBroken: isBroken)
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipLineEnd() {
        if peek == 0x0D { index += 1 }
        if peek == 0x0A { index += 1 }
        line += 1
    }

    private mutating func skipLine() {
        while let byte = peek, byte != 0x0A, byte != 0x0D { index += 1 }
        if index < bytes.count { skipLineEnd() }
    }

    private mutating func plain() -> String {
        let start = index
        while let byte = peek, byte != separator, byte != 0x0A, byte != 0x0D { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// A quoted field; `nil` if the quote is not closed.
    private mutating func quoted(_ isBroken: inout Bool) -> String? {
        index += 1
        var field: [UInt8] = []
        while let byte = peek, field.count < Self.longestField {
            index += 1
            if byte == UInt8(ascii: "\"") {
                guard peek == UInt8(ascii: "\"") else {
                    // Text after the closing quote is kept for the report.
                    let rest = plain()
                    // A quote that closes on a later line, followed by text, begins the field of another row.
                    if !rest.isEmpty, field.contains(0x0A) { return nil }
                    if !rest.isEmpty { isBroken = true }
                    return String(decoding: field, as: UTF8.self) + rest
                }
                index += 1
            } else if byte == 0x0A {
                line += 1
            }
            field.append(byte)
        }
        return nil
    }
}
