/// Skips several codes of unwanted AC coefficients with one look-up.
///
/// The bits of a coefficient's value follow its code (ITU-T T.81, clause F.1.2.2), so codes alone determine where the
/// next code begins.
enum HuffmanSkipTable {
    /// The number of bits that an entry covers: with 13, two tables take 32 KB and fit into the processor's first-level
    /// cache.
    static let window = HuffmanTable.window

    /// For every `window` bits: the length of the whole codes in them, with their values (bits 0...4); the number of
    /// coefficients that these codes cover (5...10); whether they end the block (11). 0 if no code is whole.
    static func entries(of table: HuffmanTable) -> [UInt16] {
        (0..<1 << window).map { index in
            var used = 0
            var advance = 0
            while used < window {
                // Unknown bits count as zero; a code that needs one of them does not count.
                let code = Int(table.short[index << used & (1 << window - 1)])
                let (symbol, length) = (code >> 8, code & 0xFF)
                guard code != 0, used + length <= window else { break }
                if symbol == 0 { return UInt16(used + length | advance << 5) | end }
                guard symbol & 15 != 0 || symbol == 0xF0, advance + symbol >> 4 + 1 < 64 else { break }
                used += length + symbol & 15
                advance += symbol >> 4 + 1
            }
            return UInt16(used | advance << 5)
        }
    }

    static let end: UInt16 = 1 << 11

    @inline(__always)
    static func bitCount(_ entry: UInt16) -> Int { Int(entry & 31) }

    @inline(__always)
    static func advance(_ entry: UInt16) -> Int { Int(entry &>> 5 & 63) }
}
