extension JSON {
    /// The error for bytes that are not JSON.
    public struct ParseError: Error, Hashable, Sendable {
        /// The index of the first rejected byte.
        public let offset: Int
    }

    /// Deeper nesting is rejected: it could overflow the stack.
    static let deepestNesting = 32

    /// Parses one value, optionally followed by white space.
    public init(parsing bytes: [UInt8]) throws(ParseError) {
        var parser = Parser(bytes: bytes)
        self = try parser.document()
    }

    private struct Parser {
        let bytes: [UInt8]
        var offset = 0

        mutating func document() throws(ParseError) -> JSON {
            let value = try value(depth: 0)
            skipSpace()
            guard offset == bytes.count else { throw failure }
            return value
        }

        private var failure: ParseError { ParseError(offset: offset) }

        private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

        private mutating func skipSpace() {
            while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
        }

        private mutating func take(_ byte: Unicode.Scalar) -> Bool {
            guard next == UInt8(ascii: byte) else { return false }
            offset += 1
            return true
        }

        private mutating func take(_ word: StaticString, as value: JSON) throws(ParseError) -> JSON {
            for index in 0..<word.utf8CodeUnitCount {
                guard next == word.utf8Start[index] else { throw failure }
                offset += 1
            }
            return value
        }

        private mutating func value(depth: Int) throws(ParseError) -> JSON {
            guard depth < JSON.deepestNesting else { throw failure }
            skipSpace()
            switch next {
            case UInt8(ascii: "{"): return try object(depth: depth)
            case UInt8(ascii: "["): return try array(depth: depth)
            case UInt8(ascii: "\""): return .string(try string())
            case UInt8(ascii: "t"): return try take("true", as: .bool(true))
            case UInt8(ascii: "f"): return try take("false", as: .bool(false))
            case UInt8(ascii: "n"): return try take("null", as: .null)
            default: return try number()
            }
        }

        private mutating func object(depth: Int) throws(ParseError) -> JSON {
            offset += 1
            var members: [Member] = []
            skipSpace()
            if take("}") { return .object([]) }
            repeat {
                skipSpace()
                guard next == UInt8(ascii: "\"") else { throw failure }
                let key = try string()
                skipSpace()
                guard take(":") else { throw failure }
                members.append(Member(key, try value(depth: depth + 1)))
                skipSpace()
            } while take(",")
            guard take("}") else { throw failure }
            return .object(members)
        }

        private mutating func array(depth: Int) throws(ParseError) -> JSON {
            offset += 1
            var values: [JSON] = []
            skipSpace()
            if take("]") { return .array([]) }
            repeat {
                values.append(try value(depth: depth + 1))
                skipSpace()
            } while take(",")
            guard take("]") else { throw failure }
            return .array(values)
        }

        private mutating func number() throws(ParseError) -> JSON {
            if let short = shortNumber() { return short }
            let start = offset
            while let byte = next, Self.belongsToNumber(byte) { offset += 1 }
            let text = String(decoding: bytes[start..<offset], as: UTF8.self)
            if let integer = Int64(text) { return .integer(integer) }
            guard let number = Double(text), number.isFinite else { throw failure }
            return .number(number)
        }

        /// A number of up to 15 digits without sign or exponent, fast: page texts have a million. Digits and power of
        /// ten are exact as `Double`, so their quotient is the nearest one.
        private mutating func shortNumber() -> JSON? {
            var (index, digits, power) = (offset, Int64(0), 0.0)
            while index < bytes.count, index - offset <= 16 {
                switch bytes[index] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    digits = digits * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
                    power *= 10
                case UInt8(ascii: ".") where power == 0 && index > offset: power = 1
                case let byte:
                    guard !Self.belongsToNumber(byte), index > offset, power != 1 else { return nil }
                    offset = index
                    return power == 0 ? .integer(digits) : .number(Double(digits) / power)
                }
                index += 1
            }
            return nil
        }

        private static func belongsToNumber(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }

        private mutating func string() throws(ParseError) -> String {
            offset += 1
            var out: [UInt8] = []
            while let byte = next {
                offset += 1
                switch byte {
                case UInt8(ascii: "\""):
                    guard let text = String(validating: out, as: UTF8.self) else { throw failure }
                    return text
                case UInt8(ascii: "\\"): try escape(into: &out)
                case 0..<0x20: throw failure
                default: out.append(byte)
                }
            }
            throw failure
        }

        private mutating func escape(into out: inout [UInt8]) throws(ParseError) {
            guard let byte = next else { throw failure }
            offset += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
            case UInt8(ascii: "n"): out.append(0x0A)
            case UInt8(ascii: "t"): out.append(0x09)
            case UInt8(ascii: "r"): out.append(0x0D)
            case UInt8(ascii: "b"): out.append(0x08)
            case UInt8(ascii: "f"): out.append(0x0C)
            case UInt8(ascii: "u"): out += Array(String(Character(try escapedScalar())).utf8)
            default: throw failure
            }
        }

        private mutating func escapedScalar() throws(ParseError) -> Unicode.Scalar {
            let first = try escapedUnit()
            if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
            guard (0xD800..<0xDC00).contains(first), take("\\"), take("u") else { throw failure }
            let second = try escapedUnit()
            guard (0xDC00..<0xE000).contains(second) else { throw failure }
            return Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))!
        }

        private mutating func escapedUnit() throws(ParseError) -> UInt16 {
            var unit: UInt16 = 0
            for _ in 0..<4 {
                guard let byte = next, let digit = Hex.value(of: byte) else { throw failure }
                unit = unit << 4 | UInt16(digit)
                offset += 1
            }
            return unit
        }
    }
}
