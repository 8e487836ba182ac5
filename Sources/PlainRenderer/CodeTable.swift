/// A Huffman code made ready for looking up (ITU-T T.81, annex C and clause F.2.2.3).
struct CodeTable {
    /// Codes of at most this length are found by one look.
    static let shortLength = 12

    /// For every `shortLength` bits, the code that they begin with: its length, and above eight bits its symbol; 0 where
    /// it is longer, or there is none.
    let short: [UInt16]
    /// For each length, the first 16 bits that are beyond the codes of that length.
    private let ends: [Int]
    /// For each length, what a code's number is subtracted from to get the place of its symbol.
    private let places: [Int]
    private let symbols: [UInt8]

    init(_ code: HuffmanCode) {
        var short = [UInt16](repeating: 0, count: 1 << Self.shortLength)
        var ends = [0]
        var places = [0]
        var next = 0
        var place = 0
        for length in 1...16 {
            places.append(place - next)
            for _ in 0..<code.counts[length - 1] {
                if length <= Self.shortLength {
                    let entry = UInt16(code.symbols[place]) << 8 | UInt16(length)
                    let spare = Self.shortLength - length
                    for index in next << spare..<(next + 1) << spare { short[index] = entry }
                }
                next += 1
                place += 1
            }
            ends.append(next << (16 - length))
            next <<= 1
        }
        (self.short, self.ends, self.places, symbols) = (short, ends, places, code.symbols)
    }

    /// The code that `bits`, 16 of them, begin with, where it is longer than `shortLength`: as in `short`, or 0 where there is
    /// none.
    @inline(never)
    func long(_ bits: Int) -> Int {
        guard let length = (Self.shortLength + 1...16).first(where: { bits < ends[$0] }) else { return 0 }
        return Int(symbols[(bits >> (16 - length)) + places[length]]) << 8 | length
    }
}

/// Several codes of coefficients that nobody wants, passed over by one look.
///
/// A code of an AC coefficient is followed by as many bits as its value takes (ITU-T T.81, clause F.1.2.2), so where the next
/// code begins is known without them.
struct SkipTable {
    /// For every `CodeTable.shortLength` bits: how many bits the codes take that begin in them, with their values (bits
    /// 0...7); by how many coefficients they go on (8...15); whether they end the block (16). 0 where there is no whole code.
    let entries: [UInt32]

    static let end: UInt32 = 1 << 16

    init(_ table: CodeTable) {
        entries = (0..<1 << CodeTable.shortLength).map { bits in
            var used = 0
            var advance = 0
            while used < CodeTable.shortLength {
                let rest = bits << used & ((1 << CodeTable.shortLength) - 1)
                let length = Int(table.short[rest] & 0xFF)
                let symbol = Int(table.short[rest] >> 8)
                guard length > 0, used + length <= CodeTable.shortLength else { break }
                if symbol == 0 { return UInt32(used + length | advance << 8) | Self.end }
                guard symbol & 15 != 0 || symbol == 0xF0, advance + symbol >> 4 + 1 < 64 else { break }
                used += length + symbol & 15
                advance += symbol >> 4 + 1
            }
            return UInt32(used | advance << 8)
        }
    }
}
