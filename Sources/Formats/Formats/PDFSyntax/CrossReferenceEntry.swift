/// An object's location, by a cross-reference section.
enum CrossReferenceEntry {
    /// At an offset from the file's header.
    case inUse(offset: Int64)
    /// In an object stream, at an index.
    case compressed(stream: Int, index: Int)
    /// Nowhere: the number is free.
    case free

    /// An entry of a table: the first 18 bytes of `0000000016 00000 n` and its end of line (ISO 32000-1, 7.5.4).
    init?(_ row: [UInt8]) {
        guard row.count == 18, row[10] == 32, row[16] == 32 else { return nil }
        let digits = row[..<10].compactMap(\.digit)
        guard digits.count == 10 else { return nil }
        self = row[17] == UInt8(ascii: "n") ? .inUse(offset: digits.reduce(0) { $0 * 10 + Int64($1) }) : .free
    }

    /// An entry of a cross-reference stream (tables 17 and 18).
    ///
    /// - Parameters:
    ///   - data: the stream's decoded data.
    ///   - widths: the byte counts of the three fields.
    ///   - row: the entry's index.
    init?(_ data: [UInt8], _ widths: [Int], row: Int) {
        var start = row * widths.reduce(0, +)
        guard start + widths.reduce(0, +) <= data.count else { return nil }
        let fields = widths.map { width -> UInt64 in
            defer { start += width }
            return data[start..<start + width].reduce(0) { $0 << 8 | UInt64($1) }
        }
        // If the first field has no bytes, its value is 1.
        switch widths[0] == 0 ? 1 : fields[0] {
        case 0: self = .free
        case 1:
            guard let offset = Int64(exactly: fields[1]) else { return nil }
            self = .inUse(offset: offset)
        case 2:
            self = .compressed(stream: Int(truncatingIfNeeded: fields[1]), index: Int(truncatingIfNeeded: fields[2]))
        default: return nil
        }
    }
}
