internal import Linux
internal import Resampling
internal import Synchronization

/// The second part of a sequential scan, read by another thread while the first is read.
///
/// Huffman codes find their step again: reading that begins between codes soon comes upon a unit's true beginning, and from
/// there on reads what a reading from the front reads. Whoever reads the front goes on into this part till both stand at
/// the same bit before a unit; the rest need not be read again. Means are differences from the one before, so they are
/// off by what the unknown first one is, the same for all.
final class LaterUnits: Sendable {
    private let thread: WorkerThread
    private let outcome: Outcome

    private final class Outcome: Sendable {
        let units = Mutex<Units?>(nil)
        let isUnwanted = Atomic(false)
    }

    /// Units one after the other, wherever they belong.
    struct Units {
        /// Where each begins, in bits of the part; and where the last one ends.
        var starts: [Int] = []
        /// `LowCoefficients.values` of each unit, block by block in the scan's order.
        var values: [Int16] = []
    }

    /// - Parameter bytes: the part's.
    /// - Returns: `nil` where no thread can be had.
    init?(_ scan: SequentialScan, _ bytes: EntropyBytes) {
        let outcome = Outcome()
        let thread = try? WorkerThread(name: "units") {
            let units = scan.units(of: bytes) { outcome.isUnwanted.load(ordering: .relaxed) }
            outcome.units.withLock { $0 = units }
        }
        guard let thread else { return nil }
        (self.thread, self.outcome) = (thread, outcome)
    }

    /// What was read, when it is.
    func wait() -> Units {
        thread.join()
        return outcome.units.withLock { $0.take() } ?? Units()
    }

    // Nothing goes on reading beside what is tried next.
    deinit {
        outcome.isUnwanted.store(true, ordering: .relaxed)
        thread.join()
    }
}

extension SequentialScan {
    /// Reads all units, the later ones by another thread.
    ///
    /// - Parameters:
    ///   - bytes: the scan's, divided where the other thread begins.
    ///   - later: by the other thread.
    ///   - values: of a row of units.
    ///   - threadCount: how many threads may place the later units.
    /// - Returns: whether the other thread's units could be taken over.
    /// - Throws: where the data are damaged or too short.
    func read(
        _ bytes: inout EntropyBytes, beside later: LaterUnits, by values: inout [Int16], threadCount: Int
    ) throws(Declined) -> Bool {
        var reader = BitReader()
        var endOfPlenty = reader.endOfPlenty
        var state = ScanState(reader.bits)
        var meeting: Meeting?
        for row in 0..<layout.down {
            for column in 0..<layout.across {
                if state.bits.next > endOfPlenty {
                    reader.bits = state.bits
                    try bytes.supply(&reader)
                    (state.bits, endOfPlenty) = (reader.bits, reader.endOfPlenty)
                    meeting?.move(to: bytes, reader)
                    if meeting == nil { meeting = Meeting(bytes, reader) }
                }
                if meeting != nil, let unit = meeting!.unit(at: state.bits, later) {
                    let rest = PlacedUnits(
                        self, meeting!.units, from: unit, at: row * layout.across + column, after: state)
                    if let rest {
                        rest.write(behind: &values, threadCount: threadCount)
                        return true
                    }
                }
                guard readUnit(column, row, reader.bytes, &state, &values) else { throw Declined("a damaged scan") }
            }
            finishRow(row, &values)
        }
        reader.bits = state.bits
        guard !reader.isExhausted else { throw Declined("a scan that is too short") }
        return false
    }

    /// Where the reading from the front stands in the part that the other thread has read.
    private struct Meeting {
        private(set) var units = LaterUnits.Units()
        private var hasWaited = false
        /// The next unit of the other thread that may be met.
        private var next = 0
        /// What a reader's position is in bits of the part, less what it states.
        private var offset = 0

        /// - Returns: `nil` where the part has not been reached yet.
        init?(_ bytes: EntropyBytes, _ reader: BitReader) {
            guard bytes.countAtDivision != nil else { return nil }
            move(to: bytes, reader)
        }

        mutating func move(to bytes: EntropyBytes, _ reader: BitReader) {
            offset = (bytes.count - reader.byteCount - bytes.countAtDivision!) * 8
        }

        /// The other thread's unit that begins here, if one does.
        mutating func unit(at bits: Bits, _ later: LaterUnits) -> Int? {
            let position = offset &+ bits.position
            if position < 0 { return nil }
            if !hasWaited { (units, hasWaited) = (later.wait(), true) }
            while next < units.starts.count, units.starts[next] < position { next += 1 }
            return next < units.starts.count && units.starts[next] == position ? next : nil
        }
    }

    /// Reads units one after the other from somewhere within the scan.
    ///
    /// - Parameter isUnwanted: asked now and then; if so, what was read so far is returned.
    fileprivate func units(of bytes: EntropyBytes, until isUnwanted: () -> Bool) -> LaterUnits.Units {
        var strung = self
        strung.plans = BlockPlan.strung(plans)
        let unitLength = BlockPlan.length(of: plans)
        var (units, bytes) = (LaterUnits.Units(), bytes)
        let most = layout.across * layout.down
        units.starts.reserveCapacity(most)
        units.values.reserveCapacity(most * unitLength)
        var reader = BitReader()
        var state = ScanState(reader.bits)
        var failureCount = 0
        while units.starts.count < most {
            if state.bits.next > reader.endOfPlenty {
                reader.bits = state.bits
                guard (try? bytes.supply(&reader)) != nil, !isUnwanted() else { break }
                state.bits = reader.bits
            }
            let column = units.starts.count
            if column * unitLength == units.values.count {
                units.values += repeatElement(0, count: unitLength * min(1024, most - column))
            }
            units.starts.append((bytes.count - reader.byteCount) * 8 + state.bits.position)
            if strung.readUnit(column, 0, reader.bytes, &state, &units.values) { continue }
            // It had not found its step yet, and tries from the next bit.
            failureCount += 1
            guard failureCount <= Self.mostFailures else { return LaterUnits.Units() }
            units.starts.removeAll(keepingCapacity: true)
            units.values.removeAll(keepingCapacity: true)
            state = ScanState(state.bits)
            state.bits.refill(from: reader.bytes)
            state.bits.skip(1)
        }
        units.starts.append((bytes.count - reader.byteCount) * 8 + state.bits.position)
        // The last ones may have been made of what is behind the scan.
        while let last = units.starts.last, last > bytes.count * 8 { units.starts.removeLast() }
        return units
    }

    /// The bytes that all units would take, strung together.
    var strungByteCount: Int { layout.across * layout.down * BlockPlan.length(of: plans) * MemoryLayout<Int16>.stride }

    /// A part that fails as often is no scan.
    private static let mostFailures = 1000
}

/// Units that another thread read, with the places where they belong.
private struct PlacedUnits: Sendable {
    private let scan: SequentialScan
    private let strung: [BlockPlan]
    private let values: [Int16]
    /// The unit that is the scan's first.
    private let shift: Int
    /// The first of them that is wanted, in the scan's order.
    private let first: Int
    /// What has to be added to each block's mean, in the order of a unit's blocks.
    private let means: [Int16]

    /// - Parameters:
    ///   - unit: the first of them that is wanted.
    ///   - place: of it in the scan's order.
    ///   - state: before it.
    /// - Returns: `nil` where there are too few of them.
    init?(
        _ scan: SequentialScan, _ units: LaterUnits.Units, from unit: Int, at place: Int, after state: ScanState
    ) {
        guard unit + scan.layout.across * scan.layout.down - place < units.starts.count else { return nil }
        let strung = BlockPlan.strung(scan.plans)
        // Each component's last mean before this unit, there and here.
        var differences = InlineArray<4, Int16>(repeating: 0)
        for plan in strung {
            let before = unit == 0 ? 0 : units.values[plan.place(unit - 1, 0)]
            differences[plan.component] = Int16(truncatingIfNeeded: state.means[plan.component] &* 2) &- before
        }
        (self.scan, self.strung, values, first) = (scan, strung, units.values, place)
        shift = unit - place
        means = strung.map { differences[$0.component] }
    }

    /// Writes all of them.
    ///
    /// - Parameter row: the numbers of the row of units in which the first is, with those in front of it.
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
        for (index, (plan, part)) in zip(scan.plans, strung).enumerated() {
            for column in column..<scan.layout.across {
                let place = plan.place(column, 0)
                let start = part.place(row &* scan.layout.across &+ column &+ shift, 0)
                target.withUnsafeMutableBufferPointer { target in
                    values.withUnsafeBufferPointer { values in
                        let numbers = UnsafeMutableBufferPointer(rebasing: target[place..<place &+ plan.count])
                        // As many as there is room for.
                        _ = numbers.update(fromContentsOf: values[start..<start &+ plan.count])
                        numbers[0] &+= means[index]
                    }
                }
            }
        }
        scan.finishRow(row, &target)
    }
}
