/// The Huffman codes of one scan, side by side for looking up.
struct DecodingTables {
    private let values: [Int32]
    private let skips: [UInt16]
    private let codes: [CodeTable]
    /// The first code with a table for skipping.
    private let firstSkipped: Int

    /// - Parameter skipped: further codes, that will also be passed over.
    init(_ codes: [HuffmanCode], skipping skipped: [HuffmanCode] = []) {
        let tables = (codes + skipped).map { CodeTable($0) }
        self.codes = tables
        firstSkipped = codes.count
        values = tables.flatMap { ValueTable.entries(of: $0) }
        skips = tables.dropFirst(codes.count).flatMap { SkipTable.entries(of: $0) }
    }

    /// The next symbol and the value behind it; at least 31 bits are ready. The symbol is −1 where there is no such code.
    @inline(__always)
    func next(_ index: Int, _ bits: inout Bits) -> (symbol: Int, value: Int) {
        let entry = values[index &<< ValueTable.window &+ bits.peek(ValueTable.window)]
        if entry != 0 {
            bits.skip(Int(entry & 0xFF))
            return (Int(entry &>> 8 & 0xFF), Int(entry &>> 16))
        }
        let (symbol, length) = long(index, bits.peek(16))
        bits.skip(length)
        let size = symbol & 15
        if symbol <= 0 || size == 0 { return (symbol, 0) }
        let value = ValueTable.value(bits.peek(size), size)
        bits.skip(size)
        return (symbol, value)
    }

    /// As `SkipTable` has it for the next bits.
    @inline(__always)
    func skip(_ index: Int, _ bits: Bits) -> UInt16 {
        skips[(index &- firstSkipped) &<< SkipTable.window &+ bits.peek(SkipTable.window)]
    }

    @inline(never)
    private func long(_ index: Int, _ bits: Int) -> (symbol: Int, length: Int) { codes[index].code(bits) ?? (-1, 0) }
}
