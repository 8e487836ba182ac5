/// Builds one message: integers are little-endian, texts and lists follow their counts.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write<Value: FixedWidthInteger>(_ value: Value) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ value: Bool) { write(UInt8(value ? 1 : 0)) }

    mutating func write(_ value: Double) { write(value.bitPattern) }

    /// Appends a text as UTF-8, truncated at a character if it exceeds the limit.
    mutating func write(_ text: String) {
        var text = text
        if text.utf8.count > Wire.longestText {
            var cut = Substring(text)
            while cut.utf8.count > Wire.longestText { cut.removeLast() }
            text = String(cut)
        }
        write(UInt16(text.utf8.count))
        text.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Appends a text of any length as UTF-8, with a 32-bit length.
    mutating func writeLong(_ text: String) {
        write(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Appends another message as a part of this one.
    mutating func write(message: [UInt8]) {
        write(UInt32(message.count))
        bytes += message
    }

    mutating func write<Value>(_ value: Value?, _ body: (inout WireWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    mutating func write<Value>(_ values: [Value], _ body: (inout WireWriter, Value) -> Void) {
        precondition(values.count <= Wire.longestList, "a message carries at most \(Wire.longestList) of a thing")
        write(UInt16(values.count))
        for value in values { body(&self, value) }
    }
}
