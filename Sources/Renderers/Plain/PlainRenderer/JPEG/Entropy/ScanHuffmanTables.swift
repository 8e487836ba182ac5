/// The look-up tables of all Huffman codes of one scan, in contiguous memory.
struct ScanHuffmanTables {
    private let values: [Int32]
    private let skips: [UInt16]
    private let codes: [HuffmanTable]
    /// The index of the first code that has a skip table.
    private let firstSkipped: Int

    /// - Parameter skipped: the codes that also get a skip table; their indices follow those of `codes`.
    init(_ codes: [HuffmanSpecification], skipping skipped: [HuffmanSpecification] = []) {
        let tables = (codes + skipped).map { HuffmanTable($0) }
        self.codes = tables
        firstSkipped = codes.count
        values = tables.flatMap { HuffmanValueTable.entries(of: $0) }
        skips = tables.dropFirst(codes.count).flatMap { HuffmanSkipTable.entries(of: $0) }
    }

    /// The next symbol and the value after it; at least 31 bits are ready. The symbol is −1 if there is no such code.
    @inline(__always)
    func next(_ index: Int, _ bits: inout BitBuffer) -> (symbol: Int, value: Int) {
        let entry = values[index &<< HuffmanValueTable.window &+ bits.peek(HuffmanValueTable.window)]
        if entry != 0 {
            bits.skip(Int(entry & 0xFF))
            return (Int(entry &>> 8 & 0xFF), Int(entry &>> 16))
        }
        let (symbol, length) = long(index, bits.peek(16))
        bits.skip(length)
        let size = symbol & 15
        if symbol <= 0 || size == 0 { return (symbol, 0) }
        let value = HuffmanValueTable.value(bits.peek(size), size)
        bits.skip(size)
        return (symbol, value)
    }

    /// The `HuffmanSkipTable` entry of the next bits.
    @inline(__always)
    func skip(_ index: Int, _ bits: BitBuffer) -> UInt16 {
        skips[(index &- firstSkipped) &<< HuffmanSkipTable.window &+ bits.peek(HuffmanSkipTable.window)]
    }

    @inline(never)
    private func long(_ index: Int, _ bits: Int) -> (symbol: Int, length: Int) { codes[index].code(bits) ?? (-1, 0) }
}
