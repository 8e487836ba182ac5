/// A code and the value behind it, found by one look.
///
/// The low four bits of a symbol say how many bits of value follow its code (ITU-T T.81, clauses F.1.2.1 and F.1.2.2).
enum ValueTable {
    /// How many bits are looked at.
    static let window = 11

    /// For every `window` bits that begin with a whole code and its value: how many bits these are (bits 0...7), the symbol
    /// (8...15), and the value, with its sign (16...31). 0 elsewhere.
    static func entries(of table: CodeTable) -> [Int32] {
        (0..<1 << window).map { index in
            let code = Int(table.short[index << (CodeTable.window - window)])
            let (symbol, length) = (code >> 8, code & 0xFF)
            let size = symbol & 15
            guard code != 0, length + size <= window else { return 0 }
            let magnitude = index >> (window - length - size) & ((1 << size) - 1)
            return Int32(value(magnitude, size) << 16 | symbol << 8 | length + size)
        }
    }

    /// The number that `size` bits stand for (clause F.2.2.1, EXTEND).
    @inline(__always)
    static func value(_ bits: Int, _ size: Int) -> Int {
        size > 0 && bits < 1 &<< (size &- 1) ? bits &- (1 &<< size) &+ 1 : bits
    }
}
