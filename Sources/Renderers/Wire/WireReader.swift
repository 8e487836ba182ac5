/// Why bytes are no message: what was being read, at which offset.
public struct WireError: Error, Hashable, Sendable {
    public let what: String
    public let offset: Int
}

/// Takes one message apart. Everything is checked before it is used, since the other side may have been taken over:
/// lengths against what is there, counts against their limits, texts for being UTF-8.
struct WireReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func failure(_ what: String) -> WireError { WireError(what: what, offset: offset) }

    private mutating func take(_ count: Int, _ what: String) throws(WireError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - offset else { throw failure(what) }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(WireError) -> Value {
        var value: Value = 0
        let size = Value.bitWidth / 8
        for (index, byte) in try take(size, "integer").enumerated() {
            value |= Value(truncatingIfNeeded: byte) << Value(index * 8)
        }
        return value
    }

    mutating func bool() throws(WireError) -> Bool {
        switch try integer(UInt8.self) {
        case 0: return false
        case 1: return true
        default: throw failure("bool")
        }
    }

    /// A finite number.
    mutating func double() throws(WireError) -> Double {
        let value = Double(bitPattern: try integer())
        guard value.isFinite else { throw failure("finite number") }
        return value
    }

    mutating func text() throws(WireError) -> String {
        let count = Int(try integer(UInt16.self))
        guard count <= Wire.longestText else { throw failure("text length") }
        guard let text = String(validating: try take(count, "text"), as: UTF8.self) else { throw failure("UTF-8") }
        return text
    }

    mutating func optional<Value>(
        _ body: (inout WireReader) throws(WireError) -> Value
    ) throws(WireError) -> Value? {
        try bool() ? try body(&self) : nil
    }

    mutating func list<Value>(
        _ body: (inout WireReader) throws(WireError) -> Value
    ) throws(WireError) -> [Value] {
        let count = Int(try integer(UInt16.self))
        guard count <= Wire.longestList else { throw failure("list length") }
        var values: [Value] = []
        for _ in 0..<count { values.append(try body(&self)) }
        return values
    }

    /// One of an enumeration's raw values.
    mutating func choice<Value: RawRepresentable>(_ type: Value.Type = Value.self) throws(WireError) -> Value
    where Value.RawValue == UInt8 {
        guard let value = Value(rawValue: try integer()) else { throw failure("\(type)") }
        return value
    }

    /// One of an enumeration's raw values, spelt out.
    mutating func choice<Value: RawRepresentable>(_ type: Value.Type = Value.self) throws(WireError) -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: try text()) else { throw failure("\(type)") }
        return value
    }

    /// Nothing may stand behind the last field.
    func finish() throws(WireError) {
        guard offset == bytes.count else { throw failure("end of message") }
    }
}
