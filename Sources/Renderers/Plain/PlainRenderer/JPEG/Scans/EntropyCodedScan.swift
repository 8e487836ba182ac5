/// A scan whose units are read one after the other.
protocol CodedScan {
    /// What the coefficients go into.
    associatedtype Numbers = [Int16]

    var layout: ScanLayout { get }
    /// In units; 0 for none.
    var restartInterval: Int { get }

    /// Reads one unit; `false` where the data are damaged.
    func readUnit(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ numbers: inout Numbers
    ) -> Bool

    /// Takes note that a row of units is complete.
    func finishRow(_ row: Int, _ numbers: inout Numbers)
}

/// What goes on from one unit of a scan to the next.
struct ScanState {
    var bits: Bits
    /// Each component's last mean.
    var means = InlineArray<4, Int>(repeating: 0)
    /// How many blocks from here on have no coefficient in a progressive scan's band.
    var emptyBlockCount = 0

    init(_ bits: Bits) { self.bits = bits }
}

extension CodedScan {
    @inline(__always)
    func finishRow(_ row: Int, _ numbers: inout Numbers) {}

    /// Reads all units.
    ///
    /// - Throws: where the data are damaged or too short.
    @inline(__always)
    func read(_ bytes: inout EntropyBytes, into numbers: inout Numbers) throws(Declined) {
        var reader = BitReader()
        var endOfPlenty = reader.endOfPlenty
        var state = ScanState(reader.bits)
        var untilRestart = restartInterval
        var restartCount = 0
        for row in 0..<layout.down {
            for column in 0..<layout.across {
                if restartInterval > 0 {
                    if untilRestart == 0 {
                        reader.bits = state.bits
                        try bytes.restart(restartCount, &reader)
                        endOfPlenty = reader.endOfPlenty
                        restartCount += 1
                        untilRestart = restartInterval
                        state = ScanState(reader.bits)
                    }
                    untilRestart -= 1
                }
                if state.bits.next > endOfPlenty {
                    reader.bits = state.bits
                    try bytes.supply(&reader)
                    (state.bits, endOfPlenty) = (reader.bits, reader.endOfPlenty)
                }
                guard readUnit(column, row, reader.bytes, &state, &numbers) else { throw Declined("a damaged scan") }
            }
            finishRow(row, &numbers)
        }
        reader.bits = state.bits
        guard !reader.isExhausted else { throw Declined("a scan that is too short") }
    }
}
