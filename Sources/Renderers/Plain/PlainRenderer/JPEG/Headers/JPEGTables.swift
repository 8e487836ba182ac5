/// The quantization tables, Huffman tables and restart interval in effect at one place of a file; later segments
/// replace earlier ones.
struct JPEGTables {
    /// The quantization tables, 64 steps each in zigzag order (ITU-T T.81, clause B.2.4.1).
    private(set) var quantization: [[UInt16]?] = Array(repeating: nil, count: 4)
    private(set) var dc: [HuffmanSpecification?] = Array(repeating: nil, count: 4)
    private(set) var ac: [HuffmanSpecification?] = Array(repeating: nil, count: 4)
    /// In MCUs; 0 for none.
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
            let code = try HuffmanSpecification(counts: counts, symbols: symbols)
            if kind >> 4 == 0 { dc[Int(kind & 15)] = code } else { ac[Int(kind & 15)] = code }
            rest = rest.dropFirst(16 + symbols.count)
        }
    }

    mutating func setRestartInterval(_ body: [UInt8]) throws(Declined) {
        guard body.count == 2 else { throw Declined("a restart interval") }
        restartInterval = Int(body[0]) << 8 | Int(body[1])
    }
}
