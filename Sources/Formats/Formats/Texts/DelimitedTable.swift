/// Tables as text (RFC 4180): records of equally many fields, with commas or semicolons between.
enum DelimitedTable {
    /// Whether the first records, at most 100, are three or more with the same number of delimiters, or two with several.
    static func isOne(_ text: Bytes, isWhole: Bool) -> Bool {
        ",;".utf8.contains { delimiter in
            let counts = delimiterCounts(text, delimiter, isWhole)
            guard let first = counts.first, first > 0, counts.allSatisfy({ $0 == first }) else { return false }
            return counts.count >= 3 || (counts.count == 2 && first >= 2)
        }
    }

    /// How many delimiters each record has; those within quotes do not count, nor do empty lines.
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
            // A last record without a line's end counts where it is whole.
            if !isEmpty && counts.count < 100 && isWhole && buffer.count < 64 << 10 { counts.append(count) }
            return counts
        }
    }
}
