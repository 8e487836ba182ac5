/// The Huffman codes of one scan, side by side for looking up.
struct DecodingTables {
    /// `CodeTable.short` of each code.
    let short: [UInt16]
    /// `SkipTable.entries` of each code; empty where nothing is skipped.
    let skip: [UInt32]
    private let codes: [CodeTable]

    init(_ codes: [CodeTable], skipping: Bool) {
        self.codes = codes
        short = codes.flatMap(\.short)
        skip = skipping ? codes.flatMap { SkipTable($0).entries } : []
    }

    /// The next symbol of a code, of which 16 bits are ready; −1 where there is no such code.
    @inline(__always)
    func symbol(_ index: Int, _ bits: inout Bits) -> Int {
        var entry = Int(short[index &<< CodeTable.shortLength &+ bits.peek(CodeTable.shortLength)])
        if entry == 0 {
            entry = codes[index].long(bits.peek(16))
            if entry == 0 { return -1 }
        }
        bits.skip(entry & 0xFF)
        return entry &>> 8
    }
}
