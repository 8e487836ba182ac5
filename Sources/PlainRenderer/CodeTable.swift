/// A Huffman code made ready for looking up (ITU-T T.81, annex C and clause F.2.2.3).
struct CodeTable {
    /// For each length, the first 16 bits that are beyond the codes of that length.
    private let ends: [Int]
    /// For each length, what is added to a code to get the place of its symbol.
    private let places: [Int]
    private let symbols: [UInt8]

    init(_ code: HuffmanCode) {
        var ends = [0]
        var places = [0]
        var next = 0
        var place = 0
        for count in code.counts {
            places.append(place - next)
            next += count
            place += count
            ends.append(next << (16 - (ends.count)))
            next <<= 1
        }
        (self.ends, self.places, symbols) = (ends, places, code.symbols)
    }

    /// The code that 16 bits begin with: its symbol and its length; `nil` where there is none.
    func code(_ bits: Int) -> (symbol: Int, length: Int)? {
        guard let length = (1...16).first(where: { bits < ends[$0] }) else { return nil }
        return (Int(symbols[bits >> (16 - length) + places[length]]), length)
    }
}
