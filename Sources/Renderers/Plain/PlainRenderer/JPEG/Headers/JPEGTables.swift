/// The tables with which scans are read, as they stand at one place of a file; later segments replace earlier ones.
struct CodingTables {
    /// The quantization tables, 64 steps each in zigzag order (ITU-T T.81, clause B.2.4.1).
    private(set) var quantization: [[UInt16]?] = Array(repeating: nil, count: 4)
    private(set) var dc: [HuffmanCode?] = Array(repeating: nil, count: 4)
    private(set) var ac: [HuffmanCode?] = Array(repeating: nil, count: 4)
    /// In units of a scan; 0 for none.
    private(set) var restartInterval = 0

    mutating func addQuantization(_ body: [UInt8]) throws(Declined) {
        var rest = body[...]
        while let kind = rest.popFirst() {
            let size = kind >> 4 == 0 ? 1 : 2
            guard kind >> 4 <= 1, kind & 15 < 4, rest.count >= 64 * size else { throw Declined("a quantization table") }
            let values = Array(rest.prefix(64 * size))
            let steps = stride(from: 0, to: values.count, by: size).map { place in
                values[place..<place + size].reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
            }
            quantization[Int(kind & 15)] = steps
            rest = rest.dropFirst(64 * size)
        }
    }

    mutating func addHuffman(_ body: [UInt8]) throws(Declined) {
        var rest = body[...]
        while let kind = rest.popFirst() {
            guard kind >> 4 <= 1, kind & 15 < 4, rest.count >= 16 else { throw Declined("a Huffman table") }
            let counts = rest.prefix(16).map(Int.init)
            let symbols = Array(rest.dropFirst(16).prefix(counts.reduce(0, +)))
            let code = try HuffmanCode(counts: counts, symbols: symbols)
            if kind >> 4 == 0 { dc[Int(kind & 15)] = code } else { ac[Int(kind & 15)] = code }
            rest = rest.dropFirst(16 + symbols.count)
        }
    }

    mutating func setRestartInterval(_ body: [UInt8]) throws(Declined) {
        guard body.count == 2 else { throw Declined("a restart interval") }
        restartInterval = Int(body[0]) << 8 | Int(body[1])
    }
}

/// A Huffman code (ITU-T T.81, annex C): how many codes of each length there are, and what they mean in their order.
struct HuffmanCode {
    /// For lengths 1...16.
    let counts: [Int]
    let symbols: [UInt8]

    /// - Throws: where there are more codes than their lengths allow, or symbols are missing.
    init(counts: [Int], symbols: [UInt8]) throws(Declined) {
        var free = 1
        for count in counts {
            free = free * 2 - count
            guard free >= 0 else { throw Declined("an impossible Huffman code") }
        }
        guard symbols.count == counts.reduce(0, +), symbols.count <= 256 else {
            throw Declined("a Huffman code broken off")
        }
        self.counts = counts
        self.symbols = symbols
    }
}
