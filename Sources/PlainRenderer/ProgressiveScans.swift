/// The first scans of a progressive file (ITU-T T.81, clause G): those that hold the lowest coefficients' upper bits. The file
/// is read until they are there; scans of other coefficients in between are passed over, and refinements with them.
struct ProgressiveScans {
    private let frame: Frame
    private var tables: CodingTables
    private var coefficients: LowCoefficients
    /// Which coefficients of each component are still to come.
    private var missing: [Set<Int>]

    init(_ header: JPEGHeader, into coefficients: LowCoefficients) {
        frame = header.frame
        tables = header.tables
        self.coefficients = coefficients
        missing = coefficients.grids.map { $0.detail == .mean ? [0] : [0, 1, 2, 4] }
    }

    /// The coefficients, and the quantization tables as they stand then.
    mutating func read(
        _ segments: SegmentReader, _ bytesAt: (Int64) -> EntropyBytes
    ) throws(Declined) -> (LowCoefficients, CodingTables) {
        var segments = segments
        while missing.contains(where: { !$0.isEmpty }) {
            let segment = try segments.next()
            switch segment.marker {
            case 0xC4: try tables.addHuffman(try segments.body(of: segment))
            case 0xDB: try tables.addQuantization(try segments.body(of: segment))
            case 0xDD: try tables.setRestartInterval(try segments.body(of: segment))
            case 0xE0...0xEF, 0xFE: break
            case 0xDA:
                let scan = try ScanHeader(try segments.body(of: segment), of: frame)
                var bytes = bytesAt(segment.offset + 4 + Int64(segment.bodyCount))
                try readScan(scan, &bytes)
                segments.move(to: bytes.offset)
            default: throw Declined("marker \(segment.marker) between scans")
            }
        }
        return (coefficients, tables)
    }

    private mutating func readScan(_ scan: ScanHeader, _ bytes: inout EntropyBytes) throws(Declined) {
        guard scan.first == 0 ? scan.last == 0 : scan.components.count == 1 else {
            throw Declined("a scan of means and other coefficients")
        }
        let isWanted = scan.components.contains { part in
            missing[part.index].contains { (scan.first...scan.last).contains($0) }
        }
        if isWanted, scan.high == 0 {
            let reading = try ProgressiveScan(scan, frame, tables, coefficients)
            try reading.read(&bytes, into: &coefficients.values)
            for part in scan.components { missing[part.index].subtract(scan.first...scan.last) }
        }
        // What needs no looking at is passed over, and so is what is left of a scan that was read.
        if missing.contains(where: { !$0.isEmpty }) { try bytes.skipScan() }
    }
}

/// A first scan of some coefficients: all components' means, or one component's band (clauses G.1.2.1 and G.1.2.2).
private struct ProgressiveScan {
    private let layout: ScanLayout
    private let tables: DecodingTables
    private let restartInterval: Int
    private let grids: [LowCoefficients.Grid]
    private let scan: ScanHeader

    init(
        _ scan: ScanHeader, _ frame: Frame, _ tables: CodingTables, _ coefficients: LowCoefficients
    ) throws(Declined) {
        self.scan = scan
        layout = try ScanLayout(scan, of: frame)
        restartInterval = tables.restartInterval
        grids = scan.components.map { coefficients.grids[$0.index] }
        var codes: [CodeTable] = []
        for part in scan.components {
            guard let code = scan.first == 0 ? tables.dc[part.dcTable] : tables.ac[part.acTable] else {
                throw Declined("a Huffman table is missing")
            }
            codes.append(CodeTable(code))
        }
        self.tables = DecodingTables(codes, skipping: false)
    }

    func read(_ bytes: inout EntropyBytes, into values: inout [Int16]) throws(Declined) {
        var reader = BitReader()
        var endOfPlenty = reader.endOfPlenty
        var state = State(bits: reader.bits)
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
                        state = State(bits: reader.bits)
                    }
                    untilRestart -= 1
                }
                if state.bits.next > endOfPlenty {
                    reader.bits = state.bits
                    try bytes.supply(&reader)
                    (state.bits, endOfPlenty) = (reader.bits, reader.endOfPlenty)
                }
                guard readUnit(row, column, reader.bytes, &state, &values) else { throw Declined("a damaged scan") }
            }
        }
        reader.bits = state.bits
        guard !reader.isExhausted else { throw Declined("a scan that is too short") }
    }

    private struct State {
        var bits: Bits
        /// Each component's last mean.
        var means = InlineArray<4, Int>(repeating: 0)
        /// How many blocks from here on have no coefficient in the band.
        var emptyBlockCount = 0
    }

    @inline(__always)
    private func readUnit(
        _ row: Int, _ column: Int, _ bytes: [UInt8], _ state: inout State, _ values: inout [Int16]
    ) -> Bool {
        for block in layout.blocks {
            let grid = grids[block.component]
            let step = layout.steps[block.component]
            let x = column &* step.across &+ block.x
            let y = row &* step.down &+ block.y
            let place = grid.start &+ (y &* grid.across &+ x) &* grid.detail.rawValue
            let isSound =
                scan.first == 0
                ? readMean(block.component, bytes, &state, &values[place])
                : readBand(grid.detail, bytes, &state, &values, at: place)
            if !isSound { return false }
        }
        return true
    }

    @inline(__always)
    private func readMean(_ component: Int, _ bytes: [UInt8], _ state: inout State, _ value: inout Int16) -> Bool {
        state.bits.refill(from: bytes)
        let size = tables.symbol(component, &state.bits)
        guard 0...15 ~= size else { return false }
        state.means[component] &+= state.bits.number(size)
        // In halves; the bits that are left out are taken as half of what they can be.
        value = Int16(truncatingIfNeeded: state.means[component] &<< (scan.low &+ 1) &+ (1 &<< scan.low) &- 1)
        return true
    }

    @inline(__always)
    private func readBand(
        _ detail: LowCoefficients.Detail, _ bytes: [UInt8], _ state: inout State, _ values: inout [Int16], at place: Int
    ) -> Bool {
        if state.emptyBlockCount > 0 {
            state.emptyBlockCount &-= 1
            return true
        }
        var index = scan.first
        while index <= scan.last {
            state.bits.refill(from: bytes)
            let symbol = tables.symbol(0, &state.bits)
            guard symbol >= 0 else { return false }
            let (run, size) = (symbol &>> 4, symbol & 15)
            if size == 0, run < 15 {
                state.emptyBlockCount = 1 &<< run &- 1
                if run > 0 {
                    state.emptyBlockCount &+= state.bits.peek(run)
                    state.bits.skip(run)
                }
                return true
            }
            index &+= run
            let value = state.bits.number(size)
            if value != 0, detail == .quarters, index < LowCoefficients.end, let slot = LowCoefficients.slots[index] {
                let magnitude = abs(value) &<< (scan.low &+ 1) &+ (1 &<< scan.low) &- 1
                values[place &+ slot] = Int16(truncatingIfNeeded: value < 0 ? -magnitude : magnitude)
            }
            index &+= 1
        }
        return index == scan.last + 1
    }
}
