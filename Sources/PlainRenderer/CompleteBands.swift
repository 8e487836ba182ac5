/// The first scan of a band, with note of all coefficients (clause G.1.2.2).
struct CompleteBandScan: CodedScan {
    private let band: Band
    var layout: ScanLayout { band.layout }
    var restartInterval: Int { band.restartInterval }

    init(
        _ scan: ScanHeader, _ frame: Frame, _ tables: CodingTables, _ coefficients: LowCoefficients
    ) throws(Declined) { band = try Band(scan, frame, tables, coefficients) }

    @inline(__always)
    func readUnit(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ numbers: inout CompleteCoefficients
    ) -> Bool {
        if state.emptyBlockCount > 0 {
            state.emptyBlockCount &-= 1
            return true
        }
        let place = band.plan.place(column, row)
        var known: UInt64 = 0
        var index = band.first
        while index <= band.last {
            state.bits.refillIfLow(from: bytes)
            let (symbol, value) = band.tables.next(0, &state.bits)
            guard symbol >= 0 else { return false }
            if symbol & 15 == 0, symbol < 0xF0 {
                state.emptyBlockCount = Band.emptyBlockCount(symbol &>> 4, &state.bits)
                break
            }
            index &+= symbol &>> 4
            if value != 0, index <= band.last {
                known |= 1 &<< UInt64(truncatingIfNeeded: index)
                if index < band.plan.end {
                    // In halves.
                    numbers.all.values[place &+ band.slot(index)] = Int16(
                        truncatingIfNeeded: value &<< (band.low &+ 1))
                }
            }
            index &+= 1
        }
        numbers.isKnown[band.block(column, row)] |= known
        return index <= band.last + 1
    }
}

/// One more bit of a band's coefficients, and those that become known by it (clause G.1.2.3).
struct BandRefinement: CodedScan {
    private let band: Band
    /// The band's coefficients, as bits.
    private let mask: UInt64
    var layout: ScanLayout { band.layout }
    var restartInterval: Int { band.restartInterval }

    init(
        _ scan: ScanHeader, _ frame: Frame, _ tables: CodingTables, _ coefficients: LowCoefficients
    ) throws(Declined) {
        band = try Band(scan, frame, tables, coefficients)
        mask = Self.bits(from: scan.first) & ~Self.bits(from: scan.last + 1)
    }

    @inline(__always)
    func readUnit(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ numbers: inout CompleteCoefficients
    ) -> Bool {
        let (place, block) = (band.plan.place(column, row), band.block(column, row))
        // Coefficients that were known before have a bit each, in their order; the codes in between tell of new ones.
        var known = numbers.isKnown[block] & mask
        var unknown = ~known & mask
        var added: UInt64 = 0
        var isInBand = true
        while state.emptyBlockCount == 0, isInBand {
            state.bits.refillIfLow(from: bytes)
            let (symbol, value) = band.tables.next(0, &state.bits)
            guard symbol >= 0, symbol & 15 <= 1 else { return false }
            if symbol & 15 == 0, symbol < 0xF0 {
                state.emptyBlockCount = Band.emptyBlockCount(symbol &>> 4, &state.bits) &+ 1
                break
            }
            // The run is of coefficients that are not known.
            for _ in 0..<symbol &>> 4 { unknown &= unknown &- 1 }
            guard unknown != 0 else { return false }
            let index = unknown.trailingZeroBitCount
            let below = known & (1 &<< UInt64(truncatingIfNeeded: index) &- 1)
            correct(below, bytes, &state.bits, &numbers.all.values, at: place)
            known &= ~below
            unknown &= unknown &- 1
            if value != 0 {
                added |= 1 &<< UInt64(truncatingIfNeeded: index)
                if index < band.plan.end {
                    numbers.all.values[place &+ band.slot(index)] = Int16(
                        truncatingIfNeeded: value &<< (band.low &+ 1))
                }
            }
            isInBand = index < band.last
        }
        correct(known, bytes, &state.bits, &numbers.all.values, at: place)
        numbers.isKnown[block] |= added
        if state.emptyBlockCount > 0 { state.emptyBlockCount &-= 1 }
        return true
    }

    /// Reads a bit for each of these coefficients; only those that are kept are worth a look.
    @inline(__always)
    private func correct(
        _ coefficients: UInt64, _ bytes: [UInt8], _ bits: inout Bits, _ values: inout [Int16], at place: Int
    ) {
        var kept = coefficients & ~Self.bits(from: band.plan.end)
        var others = (coefficients & Self.bits(from: band.plan.end)).nonzeroBitCount
        if kept != 0 { bits.refillIfLow(from: bytes) }
        while kept != 0 {
            let slot = place &+ band.slot(kept.trailingZeroBitCount)
            kept &= kept &- 1
            if bits.peek(1) == 1 {
                let step = Int16(truncatingIfNeeded: 2 &<< band.low)
                values[slot] &+= values[slot] < 0 ? 0 &- step : step
            }
            bits.skip(1)
        }
        while others > 0 {
            let count = min(others, 32)
            bits.refillIfLow(from: bytes)
            bits.skip(count)
            others &-= count
        }
    }

    /// All from one on; none from 64.
    @inline(__always)
    private static func bits(from index: Int) -> UInt64 { index > 63 ? 0 : ~0 &<< UInt64(truncatingIfNeeded: index) }
}
