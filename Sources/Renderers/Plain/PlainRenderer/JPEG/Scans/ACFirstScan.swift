/// The first scan of a band, with note of all coefficients (clause G.1.2.2).
struct CompleteBandScan: ScanOfBand {
    let band: Band

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
