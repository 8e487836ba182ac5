/// The first scan of some components' means in a progressive file (ITU-T T.81, clause G.1.2.1).
struct MeanScan: CodedScan {
    let layout: ScanLayout
    let restartInterval: Int
    private let plans: [BlockPlan]
    private let tables: DecodingTables
    /// How many low bits the scan leaves out.
    private let low: Int
    /// What these bits are taken as: half of what they can be, or nothing where a later scan states them. In halves.
    private let rest: Int

    /// - Parameter isComplete: whether later scans will be read, too.
    init(
        _ scan: ScanHeader, _ frame: Frame, _ tables: CodingTables, _ coefficients: LowCoefficients,
        isComplete: Bool = false
    ) throws(Declined) {
        low = scan.low
        rest = isComplete ? 0 : 1 << scan.low - 1
        layout = try ScanLayout(scan, of: frame)
        restartInterval = tables.restartInterval
        plans = BlockPlan.plans(of: layout, scan.components.map { coefficients.grids[$0.index] })
        var codes: [HuffmanCode] = []
        for part in scan.components {
            guard let code = tables.dc[part.dcTable] else { throw Declined("a Huffman table is missing") }
            codes.append(code)
        }
        self.tables = DecodingTables(codes)
    }

    @inline(__always)
    func readUnit(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ values: inout [Int16]
    ) -> Bool {
        for plan in plans {
            state.bits.refill(from: bytes)
            let (size, difference) = tables.next(plan.component, &state.bits)
            guard 0...15 ~= size else { return false }
            state.means[plan.component] &+= difference
            let value = state.means[plan.component] &<< (low &+ 1) &+ rest
            values[plan.place(column, row)] = Int16(truncatingIfNeeded: value)
        }
        return true
    }
}
