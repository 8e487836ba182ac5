/// Recognises tables as text (RFC 4180): records with equally many fields, separated by commas or semicolons.
enum DelimitedTable {
    /// Whether the first 100 records have the same number of delimiters; this requires three records, or two with
    /// several delimiters.
    static func isOne(_ text: Bytes, isWhole: Bool) -> Bool {
        ",;".utf8.contains { delimiter in
            let counts = delimiterCounts(text, delimiter, isWhole)
            guard let first = counts.first, first > 0, counts.allSatisfy({ $0 == first }) else { return false }
            return counts.count >= 3 || (counts.count == 2 && first >= 2)
        }
    }

    /// The number of unquoted delimiters of each record, without empty lines.
    private static func delimiterCounts(_ text: Bytes, _ delimiter: UInt8, _ isWhole: Bool) -> [Int] {
        text.first(64 << 10).withBuffer { buffer in
            var counts: [Int] = []
            var count = 0
            var isQuoted = false
            var isEmpty = true
            for byte in buffer where counts.count < 100 {
                if byte == UInt8(ascii: "\n") && !isQuoted {
                    if !isEmpty { counts.append(count) }
                    (count, isEmpty) = (0, true)
                    continue
                }
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if byte == delimiter && !isQuoted { count += 1 }
                isEmpty = isEmpty && ASCII.isSpace(byte)
            }
            // A last record without a line end counts if the text is not truncated.
            if !isEmpty && counts.count < 100 && isWhole && buffer.count < 64 << 10 { counts.append(count) }
            return counts
        }
    }
}
