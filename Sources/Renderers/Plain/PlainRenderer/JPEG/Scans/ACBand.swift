/// A scan of a band of one component's coefficients.
protocol ScanOfBand: CodedScan {
    var band: Band { get }
}

extension ScanOfBand {
    var layout: ScanLayout { band.layout }
    var restartInterval: Int { band.restartInterval }
}

/// What the scans of a band of one component's coefficients go by.
struct Band {
    let layout: ScanLayout
    let restartInterval: Int
    let plan: BlockPlan
    let tables: DecodingTables
    let slots = BlockPlan.slots
    let first: Int
    let last: Int
    let low: Int
    /// Where in `CompleteCoefficients.isKnown` the component's blocks begin, and how many are in a row.
    private let start: Int
    private let across: Int

    init(
        _ scan: ScanHeader, _ frame: Frame, _ tables: CodingTables, _ coefficients: LowCoefficients
    ) throws(Declined) {
        let component = scan.components[0].index
        layout = try ScanLayout(scan, of: frame)
        restartInterval = tables.restartInterval
        plan = BlockPlan.plans(of: layout, [coefficients.grids[component]])[0]
        guard let code = tables.ac[scan.components[0].acTable] else { throw Declined("a Huffman table is missing") }
        self.tables = DecodingTables([code])
        (first, last, low) = (scan.first, scan.last, scan.low)
        start = CompleteCoefficients.start(of: component, in: coefficients)
        across = coefficients.grids[component].across
    }

    /// Where in `CompleteCoefficients.isKnown` a block's bits are.
    @inline(__always)
    func block(_ column: Int, _ row: Int) -> Int { start &+ row &* across &+ column }

    /// Where in `LowCoefficients.values` a block's coefficient before `plan.end` is.
    @inline(__always)
    func slot(_ index: Int) -> Int { Int(slots[plan.firstSlot &+ index]) }

    /// The code for the end of a block's band and of others' was read: how many others'.
    @inline(__always)
    static func emptyBlockCount(_ run: Int, _ bits: inout Bits) -> Int {
        var count = 1 &<< run &- 1
        if run > 0 {
            count &+= bits.peek(run)
            bits.skip(run)
        }
        return count
    }
}
