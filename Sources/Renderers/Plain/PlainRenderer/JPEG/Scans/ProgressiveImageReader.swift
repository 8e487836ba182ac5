/// All scans of a progressive file (ITU-T T.81, clause G), with every bit of the coefficients that are kept.
///
/// Half of the size shows what the last scans add, so none can be left out. Of the coefficients that are not kept only this
/// has to be remembered: which are not zero, since a later scan has a bit for each of these.
struct CompleteScans {
    private let frame: Frame
    private var segments: ScanSegments
    private var coefficients: CompleteCoefficients
    /// For each component and each of its coefficients, how many low bits are still unknown; `nil` where all are.
    private var low: [[Int?]]

    init(_ header: JPEGHeader, _ segments: SegmentReader, into coefficients: LowCoefficients) {
        frame = header.frame
        self.segments = ScanSegments(header, segments)
        self.coefficients = CompleteCoefficients(coefficients)
        low = frame.components.map { _ in Array(repeating: nil, count: 64) }
    }

    /// The coefficients, and the quantization tables as they stand then.
    mutating func read(_ bytesAt: (Int64) -> EntropyBytes) throws(Declined) -> (LowCoefficients, CodingTables) {
        while true {
            let (scan, data) = try segments.next()
            try note(scan)
            var bytes = bytesAt(data)
            try read(scan, &bytes)
            try bytes.skipScan()
            // The end of the image.
            if bytes.marker == 0xD9 { break }
            segments.move(to: bytes.offset)
        }
        guard low.allSatisfy({ $0[0] != nil }) else { throw Declined("components without means") }
        return (coefficients.all, segments.tables)
    }

    /// Takes note of what a scan adds: bits of coefficients come once each, the upper ones first.
    private mutating func note(_ scan: ScanHeader) throws(Declined) {
        for part in scan.components {
            for index in scan.first...scan.last {
                let isNext = scan.high == 0 ? low[part.index][index] == nil : low[part.index][index] == scan.high
                guard isNext, scan.high == 0 || scan.low == scan.high - 1 else { throw Declined("scans out of order") }
                low[part.index][index] = scan.low
            }
        }
    }

    private mutating func read(_ scan: ScanHeader, _ bytes: inout EntropyBytes) throws(Declined) {
        let (tables, grids) = (segments.tables, coefficients.all)
        switch (scan.first == 0, scan.high == 0) {
        case (true, true):
            try MeanScan(scan, frame, tables, grids, isComplete: true).read(&bytes, into: &coefficients.all.values)
        case (true, false):
            try MeanRefinement(scan, frame, tables, grids).read(&bytes, into: &coefficients.all.values)
        case (false, true):
            try CompleteBandScan(band: Band(scan, frame, tables, grids)).read(&bytes, into: &coefficients)
        case (false, false):
            try BandRefinement(band: Band(scan, frame, tables, grids)).read(&bytes, into: &coefficients)
        }
    }
}

/// The lowest coefficients, and which of all are not zero.
struct CompleteCoefficients {
    var all: LowCoefficients
    /// For each block, in the order of `all`, a bit for each coefficient in zigzag order.
    var isKnown: [UInt64]

    init(_ coefficients: LowCoefficients) {
        all = coefficients
        isKnown = Array(repeating: 0, count: coefficients.grids.reduce(0) { $0 + $1.across * $1.down })
    }

    /// Where in `isKnown` a component's blocks begin.
    static func start(of component: Int, in coefficients: LowCoefficients) -> Int {
        coefficients.grids[..<component].reduce(0) { $0 + $1.across * $1.down }
    }
}

/// One more bit of the means (clause G.1.2.1).
private struct MeanRefinement: CodedScan {
    let layout: ScanLayout
    let restartInterval: Int
    private let plans: [BlockPlan]
    private let low: Int

    init(
        _ scan: ScanHeader, _ frame: Frame, _ tables: CodingTables, _ coefficients: LowCoefficients
    ) throws(Declined) {
        low = scan.low
        layout = try ScanLayout(scan, of: frame)
        restartInterval = tables.restartInterval
        plans = BlockPlan.plans(of: layout, scan.components.map { coefficients.grids[$0.index] })
    }

    @inline(__always)
    func readUnit(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ values: inout [Int16]
    ) -> Bool {
        state.bits.refillIfLow(from: bytes)
        for plan in plans {
            // In halves.
            values[plan.place(column, row)] &+= Int16(truncatingIfNeeded: state.bits.peek(1) &<< (low &+ 1))
            state.bits.skip(1)
        }
        return true
    }
}
