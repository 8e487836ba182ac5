internal import Rendering

/// MCUs that another thread decoded, once their place in the scan is known.
struct PlacedMCUs: Sendable {
    private let scan: SequentialScan
    private let consecutive: [BlockPlan]
    private let values: [Int16]
    /// The index among the decoded MCUs of the scan's first MCU; negative if that MCU was not decoded.
    private let shift: Int
    /// The first wanted decoded MCU, counted from the scan's first MCU.
    private let first: Int
    /// The correction added to each block's DC coefficient, in the order of an MCU's blocks.
    private let dcCorrections: [Int16]

    /// - Parameters:
    ///   - index: the index of the first wanted decoded MCU.
    ///   - place: the place of that MCU, counted from the scan's first MCU.
    ///   - state: the first thread's state before that MCU.
    /// - Returns: `nil` if fewer MCUs were decoded than the scan has left.
    init?(
        _ scan: SequentialScan, _ decoded: DecodedMCUs, from index: Int, at place: Int, after state: ScanState
    ) {
        guard index + scan.layout.across * scan.layout.down - place < decoded.starts.count else { return nil }
        let consecutive = BlockPlan.consecutive(scan.plans)
        // Each component's DC prediction before this MCU: the first thread's minus the second thread's.
        var differences = InlineArray<4, Int16>(repeating: 0)
        for plan in consecutive {
            let before = index == 0 ? 0 : decoded.values[plan.place(index - 1, 0)]
            differences[plan.component] = Int16(truncatingIfNeeded: state.dcPredictions[plan.component] &* 2) &- before
        }
        (self.scan, self.consecutive, values, first) = (scan, consecutive, decoded.values, place)
        shift = index - place
        dcCorrections = consecutive.map { differences[$0.component] }
    }

    /// Writes all MCUs as samples.
    ///
    /// - Parameter row: the coefficients of the row of MCUs that the first thread has begun.
    func write(behind row: inout [Int16], threadCount: Int) {
        let (startRow, column) = first.quotientAndRemainder(dividingBy: scan.layout.across)
        write(row: startRow, from: column, by: &row)
        let length = row.count
        RowBands.forEach(of: scan.layout.down - startRow - 1, threadCount: threadCount) { rows in
            var row = [Int16](repeating: 0, count: length)
            for index in rows { write(row: startRow + 1 + index, from: 0, by: &row) }
        }
    }

    private func write(row: Int, from column: Int, by target: inout [Int16]) {
        for (index, (plan, part)) in zip(scan.plans, consecutive).enumerated() {
            for column in column..<scan.layout.across {
                let place = plan.place(column, 0)
                let start = part.place(row &* scan.layout.across &+ column &+ shift, 0)
                target.withUnsafeMutableBufferPointer { target in
                    values.withUnsafeBufferPointer { values in
                        let block = UnsafeMutableBufferPointer(rebasing: target[place..<place &+ plan.count])
                        // Copies `plan.count` coefficients, the length of both.
                        _ = block.update(fromContentsOf: values[start..<start &+ plan.count])
                        block[0] &+= dcCorrections[index]
                    }
                }
            }
        }
        scan.finishRow(row, &target)
    }
}
