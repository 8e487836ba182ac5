internal import Linux
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

    /// - Parameters:
    ///   - scan: which writes units one after the other.
    ///   - bytes: the part's.
    ///   - most: so many units are enough.
    /// - Returns: `nil` where no thread can be had.
    init?(_ scan: SequentialScan, _ bytes: EntropyBytes, atMost most: Int) {
        let outcome = Outcome()
        let thread = try? WorkerThread(name: "units") {
            let units = scan.readUnits(of: bytes, atMost: most) { outcome.isUnwanted.load(ordering: .relaxed) }
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
    /// - Throws: where the data are damaged or too short.
    func read(
        _ bytes: inout EntropyBytes, beside later: LaterUnits, into values: inout [Int16]
    ) throws(Declined) {
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
                    let first = row * layout.across + column
                    if place(meeting!.units, from: unit, after: state, at: first, into: &values) { return }
                }
                guard readUnit(column, row, reader.bytes, &state, &values) else { throw Declined("a damaged scan") }
            }
        }
        reader.bits = state.bits
        guard !reader.isExhausted else { throw Declined("a scan that is too short") }
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

    /// Puts units where they belong.
    ///
    /// - Parameters:
    ///   - unit: the first of them that is wanted.
    ///   - state: before it.
    ///   - first: the place in the scan's order that it belongs to.
    /// - Returns: whether there are enough of them.
    private func place(
        _ units: LaterUnits.Units, from unit: Int, after state: ScanState, at first: Int, into values: inout [Int16]
    ) -> Bool {
        let missing = layout.across * layout.down - first
        guard unit + missing < units.starts.count else { return false }
        // Each component's last mean before this unit, there and here.
        var means = InlineArray<4, Int16>(repeating: 0)
        for (plan, part) in zip(plans, strungPlans) {
            let before = unit == 0 ? 0 : units.values[part.place(unit - 1, 0)]
            means[plan.component] = Int16(truncatingIfNeeded: state.means[plan.component] &* 2) &- before
        }
        for (plan, part) in zip(plans, strungPlans) {
            for index in 0..<missing {
                let (row, column) = (first + index).quotientAndRemainder(dividingBy: layout.across)
                let (target, start) = (plan.place(column, row), part.place(unit + index, 0))
                values[target] = units.values[start] &+ means[plan.component]
                for slot in 1..<part.count { values[target &+ slot] = units.values[start &+ slot] }
            }
        }
        return true
    }

    /// Reads units one after the other from somewhere within the scan.
    ///
    /// - Parameter isUnwanted: asked now and then; if so, what was read so far is returned.
    fileprivate func readUnits(
        of bytes: EntropyBytes, atMost most: Int, until isUnwanted: () -> Bool
    ) -> LaterUnits.Units {
        var strung = self
        strung.plans = strungPlans
        let unitLength = strungPlans.map(\.count).reduce(0, +)
        var (units, bytes) = (LaterUnits.Units(), bytes)
        var reader = BitReader()
        var state = ScanState(reader.bits)
        var failureCount = 0
        while units.starts.count < most {
            if state.bits.next > reader.endOfPlenty {
                reader.bits = state.bits
                guard (try? bytes.supply(&reader)) != nil, !isUnwanted() else { break }
                state.bits = reader.bits
            }
            let place = units.starts.count * unitLength
            if place == units.values.count { units.values += repeatElement(0, count: unitLength * 1024) }
            units.starts.append((bytes.count - reader.byteCount) * 8 + state.bits.position)
            if strung.readUnit(units.starts.count - 1, 0, reader.bytes, &state, &units.values) { continue }
            // It had not found its step yet.
            failureCount += 1
            guard failureCount <= Self.mostFailures else { return LaterUnits.Units() }
            units = LaterUnits.Units()
            state = ScanState(state.bits)
        }
        reader.bits = state.bits
        units.starts.append((bytes.count - reader.byteCount) * 8 + state.bits.position)
        // The last ones may have been made of what is behind the scan.
        let end = bytes.count * 8
        while let last = units.starts.last, last > end { units.starts.removeLast() }
        return units
    }

    /// A part that fails as often is no scan.
    private static let mostFailures = 1000
}
