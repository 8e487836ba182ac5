/// Bytes of an untrusted file: every access says `nil` where the bytes are not there, none traps.
struct Bytes {
    private let storage: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { storage = bytes[...] }

    private init(_ bytes: ArraySlice<UInt8>) { storage = bytes }

    var count: Int { storage.count }

    subscript(offset: Int) -> UInt8? {
        offset >= 0 && offset < count ? storage[storage.startIndex + offset] : nil
    }

    /// `count` bytes from `offset`; `nil` unless all of them are there.
    func part(at offset: Int, count: Int) -> Bytes? {
        guard offset >= 0, count >= 0, count <= self.count, offset <= self.count - count else { return nil }
        let start = storage.startIndex + offset
        return Bytes(storage[start..<start + count])
    }

    /// What follows the first `count` bytes, perhaps nothing.
    func dropping(_ count: Int) -> Bytes { Bytes(storage.dropFirst(max(0, count))) }

    /// The first `count` bytes, or fewer.
    func first(_ count: Int) -> Bytes { Bytes(storage.prefix(max(0, count))) }

    /// Lends the bytes; they are valid only inside `body`.
    func withBuffer<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        storage.withUnsafeBufferPointer(body)
    }
}

extension Bytes {
    /// A number with its lowest byte first.
    func little<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type, at offset: Int) -> Value? {
        big(type, at: offset)?.byteSwapped
    }

    /// A number with its highest byte first.
    func big<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type, at offset: Int) -> Value? {
        guard let part = part(at: offset, count: Value.bitWidth / 8) else { return nil }
        return part.storage.reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    /// Bytes as text in ASCII, anything else as U+FFFD or what UTF-8 makes of it.
    func text(at offset: Int, count: Int) -> String? {
        part(at: offset, count: count)?.text
    }

    var text: String { String(decoding: storage, as: UTF8.self) }

    func has(_ signature: [UInt8], at offset: Int = 0) -> Bool {
        part(at: offset, count: signature.count).map { $0.storage.elementsEqual(signature) } ?? false
    }

    func has(_ signature: String, at offset: Int = 0) -> Bool {
        part(at: offset, count: signature.utf8.count).map { $0.storage.elementsEqual(signature.utf8) } ?? false
    }

    /// As `has`, with ASCII letters of either case; `signature` is in lower case.
    func hasIgnoringCase(_ signature: String, at offset: Int) -> Bool {
        guard let part = part(at: offset, count: signature.utf8.count) else { return false }
        return zip(part.storage, signature.utf8).allSatisfy { ASCII.lowercased($0) == $1 }
    }

    /// The offset of the first occurrence that begins in `range`.
    func firstOffset(of signature: String, in range: Range<Int>) -> Int? {
        let pattern = Array(signature.utf8)
        return withBuffer { buffer in
            let last = min(range.upperBound, buffer.count - pattern.count + 1)
            var offset = max(0, range.lowerBound)
            while offset < last {
                if buffer[offset] == pattern[0], buffer[offset..<offset + pattern.count].elementsEqual(pattern) {
                    return offset
                }
                offset += 1
            }
            return nil
        }
    }
}

/// ASCII's classes, for bytes.
enum ASCII {
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Space, tab, line feed, form feed, carriage return: HTML's white space.
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
