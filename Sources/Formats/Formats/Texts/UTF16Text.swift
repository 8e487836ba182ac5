/// UTF-16 that may be something else: every unit has to make sense.
enum UTF16Text {
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
                // A pair may be cut at the end of what was read.
                case .error: return !isWhole && iterator.next() == nil
                }
            }
        }
    }
}
