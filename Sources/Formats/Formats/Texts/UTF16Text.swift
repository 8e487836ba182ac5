/// Checks that all bytes are UTF-16.
enum UTF16Text {
    /// Whether all code units form characters that occur in text.
    ///
    /// - Parameter isWhole: whether these are all bytes of the file; else the last character may be cut.
    static func isSound(_ bytes: Bytes, isLittle: Bool, isWhole: Bool) -> Bool {
        guard !isWhole || bytes.count % 2 == 0 else { return false }
        return bytes.withBuffer { buffer in
            let (low, high) = isLittle ? (0, 1) : (1, 0)
            let units = stride(from: 0, to: buffer.count - 1, by: 2).lazy.map { offset in
                UInt16(buffer[offset + high]) << 8 | UInt16(buffer[offset + low])
            }
            var decoder = UTF16()
            var iterator = units.makeIterator()
            while true {
                switch decoder.decode(&iterator) {
                case .scalarValue(let scalar): if !TextEncoding.isText(scalar) && scalar != "\u{FEFF}" { return false }
                case .emptyInput: return true
                // If the text is truncated, a surrogate pair may be too.
                case .error: return !isWhole && iterator.next() == nil
                }
            }
        }
    }
}
