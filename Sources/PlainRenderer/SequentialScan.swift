/// The one scan of a sequential file (ITU-T T.81, clause F.2), of whose coefficients only the lowest are taken.
struct SequentialScan {
    private let layout: ScanLayout
    private let tables: DecodingTables
    private let plans: [BlockPlan]
    private let restartInterval: Int
    /// Where the scan's components are in the frame.
    private let components: [Int]

    /// What is the same for every block at one place of a unit.
    private struct BlockPlan {
        let component: Int
        let dcTable: Int
        let acTable: Int
        let keepsQuarters: Bool
        /// Where the first unit's block goes, and how far the next unit's and the next row's are from it.
        let start: Int
        let step: Int
        let rowStep: Int
    }

    init(
        _ scan: ScanHeader, _ frame: Frame, _ tables: CodingTables, into coefficients: LowCoefficients
    ) throws(Declined) {
        guard scan.components.count == frame.components.count, (scan.first, scan.last) == (0, 63),
            (scan.high, scan.low) == (0, 0)
        else { throw Declined("a sequential file of several scans") }
        layout = try ScanLayout(scan, of: frame)
        restartInterval = tables.restartInterval
        components = scan.components.map(\.index)
        var codes: [CodeTable] = []
        for part in scan.components {
            guard let dc = tables.dc[part.dcTable], let ac = tables.ac[part.acTable] else {
                throw Declined("a Huffman table is missing")
            }
            codes += [CodeTable(dc), CodeTable(ac)]
        }
        self.tables = DecodingTables(codes, skipping: true)
        let layout = layout
        plans = layout.blocks.map { block in
            let grid = coefficients.grids[scan.components[block.component].index]
            let size = grid.detail.rawValue
            let step = layout.steps[block.component]
            return BlockPlan(
                component: block.component, dcTable: block.component * 2, acTable: block.component * 2 + 1,
                keepsQuarters: grid.detail == .quarters, start: grid.start + (block.y * grid.across + block.x) * size,
                step: step.across * size, rowStep: step.down * grid.across * size)
        }
    }

    /// - Throws: where the data are damaged.
    func read(_ bytes: inout EntropyBytes, into values: inout [Int16]) throws(Declined) {
        var reader = BitReader()
        var bits = reader.bits
        var endOfPlenty = reader.endOfPlenty
        var means = InlineArray<4, Int>(repeating: 0)
        var untilRestart = restartInterval
        var restartCount = 0
        for row in 0..<layout.down {
            for column in 0..<layout.across {
                if restartInterval > 0 {
                    if untilRestart == 0 {
                        reader.bits = bits
                        try bytes.restart(restartCount, &reader)
                        (bits, endOfPlenty) = (reader.bits, reader.endOfPlenty)
                        restartCount += 1
                        untilRestart = restartInterval
                        means = InlineArray(repeating: 0)
                    }
                    untilRestart -= 1
                }
                if bits.next > endOfPlenty {
                    reader.bits = bits
                    try bytes.supply(&reader)
                    (bits, endOfPlenty) = (reader.bits, reader.endOfPlenty)
                }
                for plan in plans {
                    let place = plan.start &+ row &* plan.rowStep &+ column &* plan.step
                    guard readBlock(plan, reader.bytes, &bits, &means, &values, at: place) else {
                        throw Declined("a damaged scan")
                    }
                }
            }
        }
        reader.bits = bits
        guard !reader.isExhausted else { throw Declined("a scan that is too short") }
    }

    @inline(__always)
    private func readBlock(
        _ plan: BlockPlan, _ bytes: [UInt8], _ bits: inout Bits, _ means: inout InlineArray<4, Int>,
        _ values: inout [Int16], at place: Int
    ) -> Bool {
        bits.refill(from: bytes)
        let size = tables.symbol(plan.dcTable, &bits)
        guard 0...15 ~= size else { return false }
        let mean = means[plan.component] &+ bits.number(size)
        means[plan.component] = mean
        values[place] = Int16(truncatingIfNeeded: mean &* 2)
        var index = 1
        if plan.keepsQuarters {
            while index < LowCoefficients.end {
                bits.refill(from: bytes)
                let symbol = tables.symbol(plan.acTable, &bits)
                if symbol == 0 { return true }
                guard symbol & 15 != 0 || symbol == 0xF0 else { return false }
                index &+= symbol &>> 4
                let value = bits.number(symbol & 15)
                if index < LowCoefficients.end, let slot = LowCoefficients.slots[index] {
                    values[place &+ slot] = Int16(truncatingIfNeeded: value &* 2)
                }
                index &+= 1
            }
        }
        return skipBlock(from: index, plan.acTable, bytes, &bits)
    }

    /// Passes over the rest of a block.
    @inline(__always)
    private func skipBlock(from first: Int, _ table: Int, _ bytes: [UInt8], _ bits: inout Bits) -> Bool {
        var index = first
        while index < 64 {
            bits.refill(from: bytes)
            let entry = tables.skip[table &<< CodeTable.shortLength &+ bits.peek(CodeTable.shortLength)]
            let next = index &+ Int(entry &>> 8 & 0xFF)
            // With the last coefficient a block ends without a code that says so: what was looked up behind it would be the
            // next block's.
            if entry != 0, next < 64 || next == 64 && entry & SkipTable.end == 0 {
                bits.skip(Int(entry & 0xFF))
                if entry & SkipTable.end != 0 { return true }
                index = next
                continue
            }
            let symbol = tables.symbol(table, &bits)
            if symbol == 0 { return true }
            guard symbol & 15 != 0 || symbol == 0xF0 else { return false }
            bits.skip(symbol & 15)
            index &+= symbol &>> 4 &+ 1
        }
        return index == 64
    }
}
