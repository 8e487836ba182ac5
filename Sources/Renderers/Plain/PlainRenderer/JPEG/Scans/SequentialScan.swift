/// The one scan of a sequential file (ITU-T T.81, clause F.2), of whose coefficients only the lowest are taken: a row of units
/// is read, becomes samples, and is forgotten.
struct SequentialScan: CodedScan {
    let layout: ScanLayout
    let restartInterval: Int
    /// Of a row of units.
    var plans: [BlockPlan]
    let samples: SampleRows
    private let tables: DecodingTables
    private let slots = BlockPlan.slots

    init(
        _ scan: ScanHeader, _ frame: Frame, _ tables: CodingTables, into samples: SampleRows
    ) throws(Declined) {
        guard scan.components.count == frame.components.count, (scan.first, scan.last) == (0, 63),
            (scan.high, scan.low) == (0, 0)
        else { throw Declined("a sequential file of several scans") }
        layout = try ScanLayout(scan, of: frame)
        restartInterval = tables.restartInterval
        self.samples = samples
        plans = BlockPlan.plans(of: layout, scan.components.map { samples.grids[$0.index] })
        // Components share codes, as a rule: each is there once, so that all stay in the processor's cache.
        let (dc, ac) = (Set(scan.components.map(\.dcTable)).sorted(), Set(scan.components.map(\.acTable)).sorted())
        let (means, rest) = (dc.compactMap { tables.dc[$0] }, ac.compactMap { tables.ac[$0] })
        guard means.count == dc.count, rest.count == ac.count else { throw Declined("a Huffman table is missing") }
        self.tables = DecodingTables(means, skipping: rest)
        for index in plans.indices {
            let part = scan.components[plans[index].component]
            plans[index].codes = (
                dc.firstIndex(of: part.dcTable)!, means.count + ac.firstIndex(of: part.acTable)!
            )
        }
    }

    @inline(__always)
    func readUnit(
        _ column: Int, _ row: Int, _ bytes: [UInt8], _ state: inout ScanState, _ values: inout [Int16]
    ) -> Bool {
        for plan in plans {
            guard readBlock(plan, bytes, &state, &values, at: plan.place(column, 0)) else { return false }
        }
        return true
    }

    @inline(__always)
    func finishRow(_ row: Int, _ values: inout [Int16]) { samples.write(&values, toRow: row) }

    @inline(__always)
    private func readBlock(
        _ plan: BlockPlan, _ bytes: [UInt8], _ state: inout ScanState, _ values: inout [Int16], at place: Int
    ) -> Bool {
        state.bits.refill(from: bytes)
        let (size, difference) = tables.next(plan.codes.mean, &state.bits)
        guard 0...15 ~= size else { return false }
        state.means[plan.component] &+= difference
        values[place] = Int16(truncatingIfNeeded: state.means[plan.component] &* 2)
        var index = 1
        while index < plan.end {
            state.bits.refillIfLow(from: bytes)
            let (symbol, value) = tables.next(plan.codes.rest, &state.bits)
            if symbol == 0 { return true }
            guard Self.isPossible(symbol) else { return false }
            index &+= symbol &>> 4
            if index < plan.end {
                values[place &+ Int(slots[plan.firstSlot &+ index])] = Int16(truncatingIfNeeded: value &* 2)
            }
            index &+= 1
        }
        return skipBlock(from: index, plan.codes.rest, bytes, &state.bits)
    }

    /// Passes over the rest of a block.
    @inline(__always)
    private func skipBlock(from first: Int, _ table: Int, _ bytes: [UInt8], _ bits: inout Bits) -> Bool {
        var index = first
        while index < 64 {
            bits.refill(from: bytes)
            let entry = tables.skip(table, bits)
            if Self.isInBlock(entry, from: index) {
                bits.skip(SkipTable.bitCount(entry))
                index &+= SkipTable.advance(entry)
                if entry & SkipTable.end != 0 { return true }
                continue
            }
            let (symbol, _) = tables.next(table, &bits)
            if symbol == 0 { return true }
            guard Self.isPossible(symbol) else { return false }
            index &+= symbol &>> 4 &+ 1
        }
        return index == 64
    }

    /// Whether all codes of an entry belong to the block whose next coefficient has this index.
    ///
    /// With the last coefficient a block ends without a code that says so: what was looked up behind it would be the next
    /// block's.
    @inline(__always)
    private static func isInBlock(_ entry: UInt16, from index: Int) -> Bool {
        let next = index &+ SkipTable.advance(entry)
        return entry != 0 && (next < 64 || next == 64 && entry & SkipTable.end == 0)
    }

    /// A run of coefficients that are zero ends with one that is not, or is of sixteen.
    @inline(__always)
    private static func isPossible(_ symbol: Int) -> Bool { symbol > 0 && (symbol & 15 != 0 || symbol == 0xF0) }
}
