/// Several codes of coefficients that nobody wants, passed over by one look.
///
/// A code of an AC coefficient is followed by as many bits as its value takes (ITU-T T.81, clause F.1.2.2), so where the next
/// code begins is known without them.
enum SkipTable {
    /// How many bits are looked at: with 13, two tables are 32 KB and stay in the processor's nearest cache.
    static let window = CodeTable.window

    /// For every `window` bits: how many bits the codes take that are whole in them, with their values (bits 0...4); by how
    /// many coefficients they go on (5...10); whether they end the block (11). 0 where no code is whole.
    static func entries(of table: CodeTable) -> [UInt16] {
        (0..<1 << window).map { index in
            var used = 0
            var advance = 0
            while used < window {
                // Zeros stand for the bits that are not known; a code that needs them does not count.
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
