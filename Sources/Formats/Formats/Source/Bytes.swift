/// Bytes of an untrusted file: an access out of bounds returns `nil` and never traps.
package struct Bytes {
    private let storage: ArraySlice<UInt8>

    /// A view of bytes that are already read.
    package init(_ bytes: [UInt8]) { storage = bytes[...] }

    private init(_ bytes: ArraySlice<UInt8>) { storage = bytes }

    /// The number of bytes.
    package var count: Int { storage.count }

    /// The byte at an offset; `nil` if there is none.
    package subscript(offset: Int) -> UInt8? {
        offset >= 0 && offset < count ? storage[storage.startIndex + offset] : nil
    }

    /// `count` bytes from `offset`; `nil` if there are fewer.
    package func part(at offset: Int, count: Int) -> Bytes? {
        guard offset >= 0, count >= 0, count <= self.count, offset <= self.count - count else { return nil }
        let start = storage.startIndex + offset
        return Bytes(storage[start..<start + count])
    }

    /// The bytes after the first `count`; may be empty.
    package func dropping(_ count: Int) -> Bytes { Bytes(storage.dropFirst(max(0, count))) }

    /// The first `count` bytes, or fewer.
    package func first(_ count: Int) -> Bytes { Bytes(storage.prefix(max(0, count))) }

    /// Lends the bytes, which are valid only inside `body`.
    package func withBuffer<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        storage.withUnsafeBufferPointer(body)
    }
}

extension Bytes {
    /// An unsigned integer in little-endian order; `nil` if bytes are missing.
    package func little<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type, at offset: Int) -> Value? {
        big(type, at: offset)?.byteSwapped
    }

    /// An unsigned integer in big-endian order; `nil` if bytes are missing.
    package func big<Value: FixedWidthInteger & UnsignedInteger>(_ type: Value.Type, at offset: Int) -> Value? {
        guard let part = part(at: offset, count: Value.bitWidth / 8) else { return nil }
        return part.storage.reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    /// All bytes, or the last eight, as one unsigned integer in big-endian order.
    var bigInteger: UInt64 { storage.reduce(0) { $0 << 8 | UInt64($1) } }

    /// `count` bytes from `offset` as UTF-8, with U+FFFD for invalid sequences; `nil` if there are fewer.
    package func text(at offset: Int, count: Int) -> String? {
        part(at: offset, count: count)?.text
    }

    /// All bytes as UTF-8, with U+FFFD for invalid sequences.
    var text: String { String(decoding: storage, as: UTF8.self) }

    /// Whether these bytes are at `offset`.
    func has(_ signature: [UInt8], at offset: Int = 0) -> Bool {
        part(at: offset, count: signature.count).map { $0.storage.elementsEqual(signature) } ?? false
    }

    /// Whether these characters are at `offset`, in UTF-8.
    package func has(_ signature: String, at offset: Int = 0) -> Bool {
        part(at: offset, count: signature.utf8.count).map { $0.storage.elementsEqual(signature.utf8) } ?? false
    }

    /// Whether these characters are at `offset`, with ASCII letters of either case.
    ///
    /// - Parameter signature: in lower case.
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
