/// A scan whose MCUs are decoded one after another.
protocol EntropyCodedScan {
    /// The storage to which the coefficients are written.
    associatedtype Coefficients = [Int16]

    var layout: MCULayout { get }
    /// In MCUs; 0 for none.
    var restartInterval: Int { get }

    /// Decodes one MCU; `false` if the data are damaged.
    func readMCU(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ coefficients: inout Coefficients
    ) -> Bool

    /// Called when a row of MCUs is complete.
    func finishRow(_ row: Int, _ coefficients: inout Coefficients)
}

/// The decoder's state from one MCU of a scan to the next; a restart marker resets it.
struct ScanState {
    var bits: BitBuffer
    /// PRED: each component's last DC coefficient.
    var dcPredictions = InlineArray<4, Int>(repeating: 0)
    /// EOBRUN: the number of blocks from here on without a coefficient in a progressive scan's band.
    var endOfBandRun = 0

    init(_ bits: BitBuffer) { self.bits = bits }
}

extension EntropyCodedScan {
    @inline(__always)
    func finishRow(_ row: Int, _ coefficients: inout Coefficients) {}

    /// Decodes all MCUs.
    ///
    /// - Throws: if the data are damaged or too short.
    @inline(__always)
    func read(_ bytes: inout EntropyCodedData, into coefficients: inout Coefficients) throws(Declined) {
        var reader = EntropyBitReader()
        var refillPosition = reader.refillPosition
        var state = ScanState(reader.bits)
        var untilRestart = restartInterval
        var restartCount = 0
        for row in 0..<layout.down {
            for column in 0..<layout.across {
                if restartInterval > 0 {
                    if untilRestart == 0 {
                        reader.bits = state.bits
                        try bytes.restart(restartCount, &reader)
                        refillPosition = reader.refillPosition
                        restartCount += 1
                        untilRestart = restartInterval
                        state = ScanState(reader.bits)
                    }
                    untilRestart -= 1
                }
                if state.bits.next > refillPosition {
                    reader.bits = state.bits
                    try bytes.supply(&reader)
                    (state.bits, refillPosition) = (reader.bits, reader.refillPosition)
                }
                guard readMCU(column, row, reader.bytes, &state, &coefficients) else {
                    throw Declined("a damaged scan")
                }
            }
            finishRow(row, &coefficients)
        }
        reader.bits = state.bits
        guard !reader.isExhausted else { throw Declined("a scan that is too short") }
    }
}
