/// The first scan of some components' DC coefficients in a progressive file (ITU-T T.81, clause G.1.2.1).
struct DCFirstScan: EntropyCodedScan {
    let layout: MCULayout
    let restartInterval: Int
    private let plans: [BlockPlan]
    private let tables: ScanHuffmanTables
    /// Al: the number of low bits that the scan leaves out.
    private let low: Int
    /// The value assumed for these bits, in halves: the middle of their range, or 0 if refinement scans will state
    /// them.
    private let assumedLowBits: Int

    /// - Parameter isRefined: whether the refinement scans will also be read.
    init(
        _ scan: ScanHeader, _ frame: JPEGFrame, _ tables: JPEGTables, _ coefficients: LowFrequencyCoefficients,
        isRefined: Bool = false
    ) throws(Declined) {
        low = scan.approximationLow
        assumedLowBits = isRefined ? 0 : 1 << scan.approximationLow - 1
        layout = try MCULayout(scan, of: frame)
        restartInterval = tables.restartInterval
        plans = BlockPlan.plans(of: layout, scan.components.map { coefficients.grids[$0.index] })
        var codes: [HuffmanSpecification] = []
        for part in scan.components {
            guard let code = tables.dc[part.dcTable] else { throw Declined("a Huffman table is missing") }
            codes.append(code)
        }
        self.tables = ScanHuffmanTables(codes)
    }

    @inline(__always)
    func readMCU(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ values: inout [Int16]
    ) -> Bool {
        for plan in plans {
            state.bits.refill(from: bytes)
            let (size, difference) = tables.next(plan.component, &state.bits)
            guard 0...15 ~= size else { return false }
            state.dcPredictions[plan.component] &+= difference
            let value = state.dcPredictions[plan.component] &<< (low &+ 1) &+ assumedLowBits
            values[plan.place(column, row)] = Int16(truncatingIfNeeded: value)
        }
        return true
    }
}
