/// A refinement scan of a band of AC coefficients (ITU-T T.81, clause G.1.2.3): a correction bit for each coefficient
/// with nonzero history, and the coefficients that become nonzero.
///
/// Correction bits follow the code whose run contains their coefficients. They are collected over the block and applied
/// at once: a branch on each would be mispredicted half of the time.
struct ACRefinementScan: ACScan {
    let band: ACBand
    /// A bit for each coefficient of the band.
    private let mask: UInt64
    /// A bit for each kept coefficient of a block.
    private let kept: UInt64
    /// The value of the scan's bit, in halves.
    private let step: Int16
    private let ranks = BitRanks()

    init(band: ACBand) {
        self.band = band
        // `&<<` by 64 would shift by 0.
        mask = ~0 << UInt64(band.first) & ~(~0 << UInt64(band.last + 1))
        kept = ~(~0 << UInt64(band.plan.end))
        step = Int16(2 << band.low)
    }

    @inline(__always)
    func readMCU(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState,
        _ coefficients: inout ProgressiveCoefficients
    ) -> Bool {
        let (place, block) = (band.plan.place(column, row), band.block(column, row))
        let nonzero = coefficients.nonzeroHistory[block] & mask
        let zero = ~nonzero & mask
        var corrections: UInt64 = 0
        var added: UInt64 = 0
        var next = band.first
        if state.endOfBandRun > 0 {
            state.endOfBandRun &-= 1
        } else {
            while next <= band.last {
                state.bits.refill(from: bytes)
                let (symbol, value) = band.tables.next(0, &state.bits)
                guard symbol >= 0, symbol & 15 <= 1 else { return false }
                let run = symbol &>> 4
                if symbol & 15 == 0, run < 15 {
                    state.endOfBandRun = ACBand.endOfBandRun(run, &state.bits)
                    break
                }
                // The run counts only coefficients with zero history.
                let passed = ranks.place(ofBit: run, in: zero &>> UInt64(truncatingIfNeeded: next))
                let index = next &+ passed
                guard index <= band.last else { return false }
                Self.take(passed &- run, bytes, &state.bits, into: &corrections)
                if value != 0 {
                    added |= 1 &<< UInt64(truncatingIfNeeded: index)
                    if index < band.plan.end {
                        coefficients.lowest.values[place &+ band.slot(index)] = value < 0 ? 0 &- step : step
                    }
                }
                next = index &+ 1
            }
        }
        let rest = next <= band.last ? nonzero &>> UInt64(truncatingIfNeeded: next) : 0
        if rest != 0 {
            state.bits.refill(from: bytes)
            Self.take(rest.nonzeroBitCount, bytes, &state.bits, into: &corrections)
        }
        coefficients.nonzeroHistory[block] |= added
        if corrections != 0 {
            let others = (nonzero & ~kept).nonzeroBitCount
            correct(nonzero & kept, by: corrections &>> UInt64(others), &coefficients.lowest.values, at: place)
        }
        return true
    }

    /// Appends `count` bits to the correction bits; at least 32 are ready.
    @inline(__always)
    private static func take(_ count: Int, _ bytes: [UInt8], _ bits: inout BitBuffer, into corrections: inout UInt64) {
        var count = count
        if count > 32 {
            corrections = corrections &<< 32 | bits.take(32)
            bits.refill(from: bytes)
            count &-= 32
        }
        corrections = corrections &<< UInt64(truncatingIfNeeded: count) | bits.take(count)
    }

    /// - Parameters:
    ///   - coefficients: a set bit for each kept coefficient with nonzero history.
    ///   - corrections: their correction bits, with the last coefficient's bit lowest.
    @inline(__always)
    private func correct(_ coefficients: UInt64, by corrections: UInt64, _ values: inout [Int16], at place: Int) {
        var left = coefficients
        var shift = UInt64(coefficients.nonzeroBitCount)
        while left != 0 {
            shift &-= 1
            let slot = place &+ band.slot(left.trailingZeroBitCount)
            // A correction adds to the magnitude.
            let sign = values[slot] &>> 15
            let change = step & (0 &- Int16(truncatingIfNeeded: corrections &>> shift & 1))
            values[slot] &+= (change ^ sign) &- sign
            left &= left &- 1
        }
    }
}
