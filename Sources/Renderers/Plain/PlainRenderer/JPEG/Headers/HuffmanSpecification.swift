/// A Huffman table as the file specifies it (ITU-T T.81, clause B.2.4.2): the lists BITS and HUFFVAL.
struct HuffmanSpecification {
    /// BITS: the number of codes of each length, 1...16.
    let counts: [Int]
    /// HUFFVAL: the codes' symbols, in the codes' order.
    let symbols: [UInt8]

    /// - Throws: if the lengths are not a prefix code, or symbols are missing.
    init(counts: [Int], symbols: [UInt8]) throws(Declined) {
        var free = 1
        for count in counts {
            free = free * 2 - count
            guard free >= 0 else { throw Declined("an impossible Huffman code") }
        }
        guard symbols.count == counts.reduce(0, +), symbols.count <= 256 else {
            throw Declined("a truncated Huffman code")
        }
        self.counts = counts
        self.symbols = symbols
    }
}
