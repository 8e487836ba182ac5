/// A Huffman code as a look-up table (ITU-T T.81, annex C and clause F.2.2.3).
struct HuffmanTable {
    /// For each length, the first 16 bits beyond the codes of that length.
    private let ends: [Int]
    /// For each length, the difference between a code and the index of its symbol.
    private let places: [Int]
    private let symbols: [UInt8]
    /// For every `window` bits that begin with a whole code: its length (bits 0...7) and its symbol (8...15). 0
    /// elsewhere.
    let short: [UInt16]

    /// The number of bits that `short` covers.
    static let window = 13

    init(_ code: HuffmanSpecification) {
        var ends = [0]
        var places = [0]
        var short = [UInt16](repeating: 0, count: 1 << Self.window)
        var next = 0
        var place = 0
        for (index, count) in code.counts.enumerated() {
            let length = index + 1
            places.append(place - next)
            if length <= Self.window {
                let span = 1 << (Self.window - length)
                for (offset, symbol) in code.symbols[place..<place + count].enumerated() {
                    let start = (next + offset) * span
                    for entry in start..<start + span { short[entry] = UInt16(symbol) << 8 | UInt16(length) }
                }
            }
            next += count
            place += count
            ends.append(next << (16 - length))
            next <<= 1
        }
        (self.ends, self.places, self.short, symbols) = (ends, places, short, code.symbols)
    }

    /// The symbol and length of the code at the start of 16 bits; `nil` if there is none.
    func code(_ bits: Int) -> (symbol: Int, length: Int)? {
        let entry = Int(short[bits >> (16 - Self.window)])
        if entry != 0 { return (entry >> 8, entry & 0xFF) }
        guard let length = (1...16).first(where: { bits < ends[$0] }) else { return nil }
        return (Int(symbols[bits >> (16 - length) + places[length]]), length)
    }
}
