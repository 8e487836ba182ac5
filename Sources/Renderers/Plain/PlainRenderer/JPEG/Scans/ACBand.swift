/// A progressive scan of one component's AC coefficients (ITU-T T.81, clauses G.1.2.2 and G.1.2.3).
protocol ACScan: EntropyCodedScan {
    var band: ACBand { get }
}

extension ACScan {
    var layout: MCULayout { band.layout }
    var restartInterval: Int { band.restartInterval }
}

/// The band of AC coefficients that a scan codes by spectral selection, with its component's blocks and Huffman table.
struct ACBand {
    let layout: MCULayout
    let restartInterval: Int
    let plan: BlockPlan
    let tables: ScanHuffmanTables
    let slots = BlockPlan.slots
    /// Ss and Se: the band's first and last coefficient, in zigzag order.
    let first: Int
    let last: Int
    /// Al: the number of low bits that the scan leaves out.
    let low: Int
    /// The place in `ProgressiveCoefficients.nonzeroHistory` where the component's blocks begin, and the number of
    /// blocks in a row.
    private let start: Int
    private let across: Int

    init(
        _ scan: ScanHeader, _ frame: JPEGFrame, _ tables: JPEGTables, _ coefficients: LowFrequencyCoefficients
    ) throws(Declined) {
        let component = scan.components[0].index
        layout = try MCULayout(scan, of: frame)
        restartInterval = tables.restartInterval
        plan = BlockPlan.plans(of: layout, [coefficients.grids[component]])[0]
        guard let code = tables.ac[scan.components[0].acTable] else { throw Declined("a Huffman table is missing") }
        self.tables = ScanHuffmanTables([code])
        (first, last, low) = (scan.spectralStart, scan.spectralEnd, scan.approximationLow)
        start = ProgressiveCoefficients.start(of: component, in: coefficients)
        across = coefficients.grids[component].across
    }

    /// The index in `ProgressiveCoefficients.nonzeroHistory` of a block.
    @inline(__always)
    func block(_ column: Int, _ row: Int) -> Int { start &+ row &* across &+ column }

    /// The offset, within a block's part of `LowFrequencyCoefficients.values`, of a coefficient before `plan.end`.
    @inline(__always)
    func slot(_ index: Int) -> Int { Int(slots[plan.firstSlot &+ index]) }

    /// The rest of an end-of-band run (EOBn) whose code was read: the number of further blocks without a coefficient in
    /// the band.
    ///
    /// - Parameter run: the n of EOBn, the number of bits that state the run's length.
    @inline(__always)
    static func endOfBandRun(_ run: Int, _ bits: inout BitBuffer) -> Int {
        var count = 1 &<< run &- 1
        if run > 0 {
            count &+= bits.peek(run)
            bits.skip(run)
        }
        return count
    }
}
