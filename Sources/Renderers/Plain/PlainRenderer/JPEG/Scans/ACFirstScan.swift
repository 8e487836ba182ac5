/// The first scan of a band of AC coefficients, read if refinement scans follow (ITU-T T.81, clause G.1.2.2).
///
/// It keeps the lowest coefficients' bits exactly, and records the nonzero history of all coefficients, which
/// refinement scans need.
struct ACFirstScan: ACScan {
    let band: ACBand

    @inline(__always)
    func readMCU(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState,
        _ coefficients: inout ProgressiveCoefficients
    ) -> Bool {
        if state.endOfBandRun > 0 {
            state.endOfBandRun &-= 1
            return true
        }
        let place = band.plan.place(column, row)
        var nonzero: UInt64 = 0
        var index = band.first
        while index <= band.last {
            state.bits.refillIfLow(from: bytes)
            let (symbol, value) = band.tables.next(0, &state.bits)
            guard symbol >= 0 else { return false }
            if symbol & 15 == 0, symbol < 0xF0 {
                state.endOfBandRun = ACBand.endOfBandRun(symbol &>> 4, &state.bits)
                break
            }
            index &+= symbol &>> 4
            if value != 0, index <= band.last {
                nonzero |= 1 &<< UInt64(truncatingIfNeeded: index)
                if index < band.plan.end {
                    // Coefficients are stored in halves.
                    coefficients.lowest.values[place &+ band.slot(index)] = Int16(
                        truncatingIfNeeded: value &<< (band.low &+ 1))
                }
            }
            index &+= 1
        }
        coefficients.nonzeroHistory[band.block(column, row)] |= nonzero
        return index <= band.last + 1
    }
}
