/// The first scan of a band of AC coefficients, read if no refinement scan will be read (ITU-T T.81, clause G.1.2.2).
///
/// It keeps the lowest coefficients, assumes the middle of the missing low bits' range, and records no nonzero history.
struct ACPreviewScan: ACScan {
    let band: ACBand

    @inline(__always)
    func readMCU(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ values: inout [Int16]
    ) -> Bool {
        if state.endOfBandRun > 0 {
            state.endOfBandRun &-= 1
            return true
        }
        let place = band.plan.place(column, row)
        var index = band.first
        while index <= band.last {
            state.bits.refill(from: bytes)
            let (symbol, value) = band.tables.next(0, &state.bits)
            guard symbol >= 0 else { return false }
            let run = symbol &>> 4
            if symbol & 15 == 0, run < 15 {
                state.endOfBandRun = ACBand.endOfBandRun(run, &state.bits)
                return true
            }
            index &+= run
            if value != 0, index < band.plan.end {
                let magnitude = abs(value) &<< (band.low &+ 1) &+ (1 &<< band.low) &- 1
                values[place &+ band.slot(index)] = Int16(
                    truncatingIfNeeded: value < 0 ? -magnitude : magnitude)
            }
            index &+= 1
        }
        return index == band.last + 1
    }
}
