/// A JSON value (RFC 8259), with a bounded parser and a compact writer.
///
/// Foundation's coder would double the time of a cache hit, so the project's few records use this type. Objects keep
/// the order of their keys.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    /// A key of an object with its value.
    public struct Member: Hashable, Sendable {
        /// The key, without quotes or escapes.
        public let key: String
        /// The value that belongs to the key.
        public let value: JSON

        /// A member for an object.
        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// An object of the members whose value is not `nil`.
    public static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { key, value in value.map { Member(key, $0) } })
    }

    /// The member's value; `nil` if this is not an object or lacks the key.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The text of a string; `nil` for other values.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The value of a number without a fraction that fits into 64 bits; `nil` for other values.
    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The integer as an `Int`; `nil` for other values.
    public var int: Int? { integer.flatMap(Int.init(exactly:)) }

    /// The value of a number; `nil` for other values.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The value of `true` or `false`; `nil` for other values.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The elements of an array; `nil` for other values.
    public var array: [JSON]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// The members of an object in their order; `nil` for other values.
    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSON {
    /// The value as text on one line. Infinite numbers and NaN become `null`.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    /// The bytes of `text`.
    public var utf8: [UInt8] {
        var out: [UInt8] = []
        write(to: &out)
        return out
    }

    /// Appends the bytes of `text`.
    package func write(to out: inout [UInt8]) {
        switch self {
        case .null: out += "null".utf8
        case .bool(let value): out += (value ? "true" : "false").utf8
        case .integer(let value): Self.write(value, to: &out)
        case .number(let value): Self.write(value, to: &out)
        case .string(let text): Self.writeQuoted(text, to: &out)
        case .array(let values):
            out.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { Self.writeSeparator(to: &out) }
                value.write(to: &out)
            }
            out.append(UInt8(ascii: "]"))
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { Self.writeSeparator(to: &out) }
                Self.writeQuoted(member.key, to: &out)
                out += ": ".utf8
                member.value.write(to: &out)
            }
            out.append(UInt8(ascii: "}"))
        }
    }

    /// Writes the separator between array values or object members.
    static func writeSeparator(to out: inout [UInt8]) {
        out.append(UInt8(ascii: ","))
        out.append(UInt8(ascii: " "))
    }

    /// Writes small numbers digit by digit: page texts have a million.
    static func write(_ value: Int64, to out: inout [UInt8]) {
        guard (0..<1_000_000).contains(value) else {
            out += String(value).utf8
            return
        }
        if value >= 10 { write(value / 10, to: &out) }
        out.append(UInt8(ascii: "0") + UInt8(value % 10))
    }

    /// As `String(value)`; hundredths, such as word places, need no search for the shortest digits.
    static func write(_ value: Double, to out: inout [UInt8]) {
        let hundredths = (value * 100).rounded()
        guard (1..<100_000_000).contains(hundredths), hundredths / 100 == value else {
            out += (value.isFinite ? String(value) : "null").utf8
            return
        }
        let number = Int64(hundredths)
        write(number / 100, to: &out)
        out.append(UInt8(ascii: "."))
        write(number / 10 % 10, to: &out)
        if number % 10 > 0 { write(number % 10, to: &out) }
    }

    /// Copies the runs between bytes that need an escape.
    static func writeQuoted(_ text: String, to out: inout [UInt8]) {
        var text = text
        out.append(UInt8(ascii: "\""))
        text.withUTF8 { bytes in
            var (start, index) = (0, 0)
            while index < bytes.count {
                if isPlain(bytes[index]) {
                    index += 1
                    continue
                }
                // U+0080 to U+009F are C2 80 to C2 9F in UTF-8.
                let isPair = bytes[index] == 0xC2 && bytes[index + 1] < 0xA0
                if isPair || needsEscape(bytes[index]) {
                    out += bytes[start..<index]
                    if isPair { index += 1 }
                    out += escape(of: bytes[index]).utf8
                    start = index + 1
                }
                index += 1
            }
            out += bytes[start...]
        }
        out.append(UInt8(ascii: "\""))
    }

    /// Whether the byte is ASCII that needs no escape: most are, and are skipped fast.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte &- 0x20 < 0x5F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
    }

    private static func escape(of byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\t"): "\\t"
        default: "\\u00" + Hex.string([byte])
        }
    }
}
