/// The only scan of a sequential file (ITU-T T.81, clause F.2), which keeps only the lowest coefficients: it decodes
/// one row of MCUs, transforms it into samples, and discards it.
struct SequentialScan: EntropyCodedScan {
    let layout: MCULayout
    let restartInterval: Int
    /// For a row of MCUs.
    var plans: [BlockPlan]
    let samples: MCURowWriter
    private let tables: ScanHuffmanTables
    private let slots = BlockPlan.slots

    init(
        _ scan: ScanHeader, _ frame: JPEGFrame, _ tables: JPEGTables, into samples: MCURowWriter
    ) throws(Declined) {
        guard scan.components.count == frame.components.count, (scan.spectralStart, scan.spectralEnd) == (0, 63),
            (scan.approximationHigh, scan.approximationLow) == (0, 0)
        else { throw Declined("a sequential file of several scans") }
        layout = try MCULayout(scan, of: frame)
        restartInterval = tables.restartInterval
        self.samples = samples
        plans = BlockPlan.plans(of: layout, scan.components.map { samples.grids[$0.index] })
        // Components usually share codes: one table per code keeps all tables in the processor's cache.
        let (dc, ac) = (Set(scan.components.map(\.dcTable)).sorted(), Set(scan.components.map(\.acTable)).sorted())
        let (dcCodes, acCodes) = (dc.compactMap { tables.dc[$0] }, ac.compactMap { tables.ac[$0] })
        guard dcCodes.count == dc.count, acCodes.count == ac.count else { throw Declined("a Huffman table is missing") }
        self.tables = ScanHuffmanTables(dcCodes, skipping: acCodes)
        for index in plans.indices {
            let part = scan.components[plans[index].component]
            plans[index].codes = (
                dc.firstIndex(of: part.dcTable)!, dcCodes.count + ac.firstIndex(of: part.acTable)!
            )
        }
    }

    @inline(__always)
    func readMCU(
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
        let (size, difference) = tables.next(plan.codes.dc, &state.bits)
        guard 0...15 ~= size else { return false }
        state.dcPredictions[plan.component] &+= difference
        values[place] = Int16(truncatingIfNeeded: state.dcPredictions[plan.component] &* 2)
        var index = 1
        while index < plan.end {
            state.bits.refillIfLow(from: bytes)
            let (symbol, value) = tables.next(plan.codes.ac, &state.bits)
            if symbol == 0 { return true }
            guard Self.isPossible(symbol) else { return false }
            index &+= symbol &>> 4
            if index < plan.end {
                values[place &+ Int(slots[plan.firstSlot &+ index])] = Int16(truncatingIfNeeded: value &* 2)
            }
            index &+= 1
        }
        return skipBlock(from: index, plan.codes.ac, bytes, &state.bits)
    }

    /// Skips the rest of a block.
    @inline(__always)
    private func skipBlock(from first: Int, _ table: Int, _ bytes: [UInt8], _ bits: inout BitBuffer) -> Bool {
        var index = first
        while index < 64 {
            bits.refill(from: bytes)
            let entry = tables.skip(table, bits)
            if Self.isInBlock(entry, from: index) {
                bits.skip(HuffmanSkipTable.bitCount(entry))
                index &+= HuffmanSkipTable.advance(entry)
                if entry & HuffmanSkipTable.end != 0 { return true }
                continue
            }
            let (symbol, _) = tables.next(table, &bits)
            if symbol == 0 { return true }
            guard Self.isPossible(symbol) else { return false }
            index &+= symbol &>> 4 &+ 1
        }
        return index == 64
    }

    /// Whether all codes of a table entry belong to the block whose next coefficient has this index.
    ///
    /// A block whose last coefficient is not zero has no end-of-block code: codes after it belong to the next block.
    @inline(__always)
    private static func isInBlock(_ entry: UInt16, from index: Int) -> Bool {
        let next = index &+ HuffmanSkipTable.advance(entry)
        return entry != 0 && (next < 64 || next == 64 && entry & HuffmanSkipTable.end == 0)
    }

    /// Whether T.81 defines the symbol: a run of zeros ends with a coefficient of a nonzero size, or is ZRL, sixteen
    /// zeros.
    @inline(__always)
    private static func isPossible(_ symbol: Int) -> Bool { symbol > 0 && (symbol & 15 != 0 || symbol == 0xF0) }
}
