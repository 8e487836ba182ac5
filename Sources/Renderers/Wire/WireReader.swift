/// The reason why bytes are not a message.
public struct WireError: Error, Hashable, Sendable {
    /// The part that was being read.
    public let what: String
    /// Its offset in the message, in bytes.
    public let offset: Int
}

/// Parses one message.
///
/// The sender may have been taken over, so everything is checked before it is used: lengths against the remaining
/// bytes, counts against their limits, texts for valid UTF-8.
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
        let count = MemoryLayout<Value>.size
        guard count <= bytes.count - offset else { throw failure("integer") }
        defer { offset += count }
        // Safe: enough bytes are left, and any bits form an integer.
        return Value(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) })
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
        let utf8 = try take(count, "text")
        // The validation looks up types again for each text.
        if utf8.allSatisfy({ $0 < 0x80 }) { return String(decoding: utf8, as: UTF8.self) }
        guard let text = String(validating: utf8, as: UTF8.self) else { throw failure("UTF-8") }
        return text
    }

    /// A text with a 32-bit length, of at most `longest` bytes.
    mutating func longText(_ longest: Int) throws(WireError) -> String {
        let count = Int(try integer(UInt32.self))
        guard count <= longest else { throw failure("text length") }
        guard let text = String(validating: try take(count, "text"), as: UTF8.self) else { throw failure("UTF-8") }
        return text
    }

    /// Another message that is a part of this one.
    mutating func message() throws(WireError) -> [UInt8] {
        Array(try take(Int(try integer(UInt32.self)), "message"))
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

    /// One of an enumeration's raw values, as text.
    mutating func choice<Value: RawRepresentable>(_ type: Value.Type = Value.self) throws(WireError) -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: try text()) else { throw failure("\(type)") }
        return value
    }

    /// Fails if bytes follow the last field.
    func finish() throws(WireError) {
        guard offset == bytes.count else { throw failure("end of message") }
    }
}
