/// A refinement scan of DC coefficients: one more bit of each coefficient (ITU-T T.81, clause G.1.2.1).
struct DCRefinementScan: EntropyCodedScan {
    let layout: MCULayout
    let restartInterval: Int
    private let plans: [BlockPlan]
    /// Al: the place of the scan's bit.
    private let low: Int

    init(
        _ scan: ScanHeader, _ frame: JPEGFrame, _ tables: JPEGTables, _ coefficients: LowFrequencyCoefficients
    ) throws(Declined) {
        low = scan.approximationLow
        layout = try MCULayout(scan, of: frame)
        restartInterval = tables.restartInterval
        plans = BlockPlan.plans(of: layout, scan.components.map { coefficients.grids[$0.index] })
    }

    @inline(__always)
    func readMCU(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ values: inout [Int16]
    ) -> Bool {
        state.bits.refillIfLow(from: bytes)
        for plan in plans {
            // Coefficients are stored in halves.
            values[plan.place(column, row)] &+= Int16(truncatingIfNeeded: state.bits.peek(1) &<< (low &+ 1))
            state.bits.skip(1)
        }
        return true
    }
}
