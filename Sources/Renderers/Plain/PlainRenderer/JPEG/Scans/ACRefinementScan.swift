/// One more bit of a band's coefficients, and those that become known by it (ITU-T T.81, clause G.1.2.3).
///
/// Coefficients that were known before have a bit each, in their order, after the code in whose run they lie. These bits are
/// gathered over the block, and looked at once, as half of them would surprise the processor.
struct BandRefinement: ScanOfBand {
    let band: Band
    /// The band's coefficients, and those that are kept of a block, as bits.
    private let mask: UInt64
    private let kept: UInt64
    /// What the scan's bit is worth, in halves.
    private let step: Int16
    private let ranks = BitRanks()

    init(band: Band) {
        self.band = band
        // `&<<` would shift by nothing where all are meant.
        mask = ~0 << UInt64(band.first) & ~(~0 << UInt64(band.last + 1))
        kept = ~(~0 << UInt64(band.plan.end))
        step = Int16(2 << band.low)
    }

    @inline(__always)
    func readUnit(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ numbers: inout CompleteCoefficients
    ) -> Bool {
        let (place, block) = (band.plan.place(column, row), band.block(column, row))
        let known = numbers.isKnown[block] & mask
        let unknown = ~known & mask
        var corrections: UInt64 = 0
        var added: UInt64 = 0
        var next = band.first
        if state.emptyBlockCount > 0 {
            state.emptyBlockCount &-= 1
        } else {
            while next <= band.last {
                state.bits.refill(from: bytes)
                let (symbol, value) = band.tables.next(0, &state.bits)
                guard symbol >= 0, symbol & 15 <= 1 else { return false }
                let run = symbol &>> 4
                if symbol & 15 == 0, run < 15 {
                    state.emptyBlockCount = Band.emptyBlockCount(run, &state.bits)
                    break
                }
                // The run is of coefficients that are not known.
                let passed = ranks.place(ofBit: run, in: unknown &>> UInt64(truncatingIfNeeded: next))
                let index = next &+ passed
                guard index <= band.last else { return false }
                Self.take(passed &- run, bytes, &state.bits, into: &corrections)
                if value != 0 {
                    added |= 1 &<< UInt64(truncatingIfNeeded: index)
                    if index < band.plan.end {
                        numbers.all.values[place &+ band.slot(index)] = value < 0 ? 0 &- step : step
                    }
                }
                next = index &+ 1
            }
        }
        let rest = next <= band.last ? known &>> UInt64(truncatingIfNeeded: next) : 0
        if rest != 0 {
            state.bits.refill(from: bytes)
            Self.take(rest.nonzeroBitCount, bytes, &state.bits, into: &corrections)
        }
        numbers.isKnown[block] |= added
        if corrections != 0 {
            let others = (known & ~kept).nonzeroBitCount
            correct(known & kept, by: corrections &>> UInt64(others), &numbers.all.values, at: place)
        }
        return true
    }

    /// Puts that many bits behind the others; at least 32 are ready.
    @inline(__always)
    private static func take(_ count: Int, _ bytes: [UInt8], _ bits: inout Bits, into corrections: inout UInt64) {
        var count = count
        if count > 32 {
            corrections = corrections &<< 32 | bits.take(32)
            bits.refill(from: bytes)
            count &-= 32
        }
        corrections = corrections &<< UInt64(truncatingIfNeeded: count) | bits.take(count)
    }

    /// - Parameter corrections: a bit for each of the coefficients, the last one's lowest.
    @inline(__always)
    private func correct(_ coefficients: UInt64, by corrections: UInt64, _ values: inout [Int16], at place: Int) {
        var left = coefficients
        var shift = UInt64(coefficients.nonzeroBitCount)
        while left != 0 {
            shift &-= 1
            let slot = place &+ band.slot(left.trailingZeroBitCount)
            // Away from zero.
            let sign = values[slot] &>> 15
            let change = step & (0 &- Int16(truncatingIfNeeded: corrections &>> shift & 1))
            values[slot] &+= (change ^ sign) &- sign
            left &= left &- 1
        }
    }
}

/// Where in a number its set bits are, by looking instead of counting.
struct BitRanks {
    /// For each byte and each rank of 0...15: the place of its set bit of that rank; or how many are set, with the highest bit.
    private let entries: [UInt8] = BitRanks.entries

    private static let entries: [UInt8] = (0..<256).flatMap { byte in
        let places = (0..<8).filter { byte >> $0 & 1 == 1 }.map { UInt8($0) }
        return (0..<16).map { $0 < places.count ? places[$0] : 0x80 | UInt8(places.count) }
    }

    /// The place of the set bit with so many, 0...15, below it; 64 where there are fewer.
    @inline(__always)
    func place(ofBit rank: Int, in bits: UInt64) -> Int {
        var (rank, bits, start) = (rank, bits, 0)
        while bits != 0 {
            let entry = Int(entries[Int(truncatingIfNeeded: bits & 0xFF) &<< 4 | rank])
            if entry < 8 { return start &+ entry }
            rank &-= entry & 0x7F
            bits &>>= 8
            start &+= 8
        }
        return 64
    }
}
