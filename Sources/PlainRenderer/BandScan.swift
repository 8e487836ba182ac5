/// The first scan of a band of one component's coefficients in a progressive file (ITU-T T.81, clause G.1.2.2).
struct BandScan: CodedScan {
    let layout: ScanLayout
    let restartInterval: Int
    private let plan: BlockPlan
    private let tables: DecodingTables
    private let scan: ScanHeader
    private let slots = BlockPlan.slots

    init(
        _ scan: ScanHeader, _ frame: Frame, _ tables: CodingTables, _ coefficients: LowCoefficients
    ) throws(Declined) {
        self.scan = scan
        layout = try ScanLayout(scan, of: frame)
        restartInterval = tables.restartInterval
        plan = BlockPlan.plans(of: layout, [coefficients.grids[scan.components[0].index]])[0]
        guard let code = tables.ac[scan.components[0].acTable] else { throw Declined("a Huffman table is missing") }
        self.tables = DecodingTables([code])
    }

    @inline(__always)
    func readUnit(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ values: inout [Int16]
    ) -> Bool {
        if state.emptyBlockCount > 0 {
            state.emptyBlockCount &-= 1
            return true
        }
        let place = plan.place(column, row)
        var index = scan.first
        while index <= scan.last {
            state.bits.refill(from: bytes)
            let (symbol, value) = tables.next(0, &state.bits)
            guard symbol >= 0 else { return false }
            let run = symbol &>> 4
            if symbol & 15 == 0, run < 15 {
                // The end of this block's band, and of as many others' as the bits behind say.
                state.emptyBlockCount = Band.emptyBlockCount(run, &state.bits)
                return true
            }
            index &+= run
            if value != 0, index < plan.end {
                let magnitude = abs(value) &<< (scan.low &+ 1) &+ (1 &<< scan.low) &- 1
                values[place &+ Int(slots[plan.firstSlot &+ index])] = Int16(
                    truncatingIfNeeded: value < 0 ? -magnitude : magnitude)
            }
            index &+= 1
        }
        return index == scan.last + 1
    }
}
