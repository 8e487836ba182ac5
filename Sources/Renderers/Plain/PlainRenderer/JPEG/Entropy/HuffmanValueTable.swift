/// Finds a code's symbol and the value after it with one look-up.
///
/// The low four bits of a symbol are the number of value bits that follow its code (ITU-T T.81, clauses F.1.2.1 and
/// F.1.2.2).
enum HuffmanValueTable {
    /// The number of bits that an entry covers.
    static let window = 11

    /// For every `window` bits that begin with a whole code and its value: their length (bits 0...7), the symbol
    /// (8...15), and the signed value (16...31). 0 elsewhere.
    static func entries(of table: HuffmanTable) -> [Int32] {
        (0..<1 << window).map { index in
            let code = Int(table.short[index << (HuffmanTable.window - window)])
            let (symbol, length) = (code >> 8, code & 0xFF)
            let size = symbol & 15
            guard code != 0, length + size <= window else { return 0 }
            let magnitude = index >> (window - length - size) & ((1 << size) - 1)
            return Int32(value(magnitude, size) << 16 | symbol << 8 | length + size)
        }
    }

    /// The number for which `size` value bits stand (clause F.2.2.1, EXTEND).
    @inline(__always)
    static func value(_ bits: Int, _ size: Int) -> Int {
        size > 0 && bits < 1 &<< (size &- 1) ? bits &- (1 &<< size) &+ 1 : bits
    }
}
