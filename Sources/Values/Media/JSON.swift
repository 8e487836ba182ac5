/// A JSON value (RFC 8259), with a bounded parser and a compact writer.
///
/// Foundation's coder would double the time that a cached answer takes, so the few records that this project writes and
/// reads go through this value. Objects keep their keys' order.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    public struct Member: Hashable, Sendable {
        public let key: String
        public let value: JSON

        public init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// An object of the members whose value is there: an unknown fact is absent, never null or zero.
    public static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { key, value in value.map { Member(key, $0) } })
    }

    /// The member's value, or `nil` where this is no object or has no such key.
    public subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    public var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The integer as an `Int`, where it is one.
    public var int: Int? { integer.flatMap(Int.init(exactly:)) }

    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    public var array: [JSON]? {
        if case .array(let values) = self { values } else { nil }
    }

    public var members: [Member]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension JSON {
    /// The value as UTF-8 text on one line. Numbers that are no finite value become `null`.
    public var text: String {
        var out = ""
        write(to: &out)
        return out
    }

    private func write(to out: inout String) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .integer(let value): out += String(value)
        case .number(let value): out += value.isFinite ? String(value) : "null"
        case .string(let text): Self.writeQuoted(text, to: &out)
        case .array(let values):
            out += "["
            for (index, value) in values.enumerated() {
                if index > 0 { out += ", " }
                value.write(to: &out)
            }
            out += "]"
        case .object(let members):
            out += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { out += ", " }
                Self.writeQuoted(member.key, to: &out)
                out += ": "
                member.value.write(to: &out)
            }
            out += "}"
        }
    }

    private static func writeQuoted(_ text: String, to out: inout String) {
        out += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
                out += "\\u00" + Hex.string([UInt8(scalar.value)])
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}
