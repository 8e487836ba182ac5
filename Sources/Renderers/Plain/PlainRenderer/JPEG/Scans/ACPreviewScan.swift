/// The first scan of a band of one component's coefficients in a progressive file (ITU-T T.81, clause G.1.2.2).
struct BandScan: ScanOfBand {
    let band: Band

    @inline(__always)
    func readUnit(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ values: inout [Int16]
    ) -> Bool {
        if state.emptyBlockCount > 0 {
            state.emptyBlockCount &-= 1
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
                // The end of this block's band, and of as many others' as the bits behind say.
                state.emptyBlockCount = Band.emptyBlockCount(run, &state.bits)
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
