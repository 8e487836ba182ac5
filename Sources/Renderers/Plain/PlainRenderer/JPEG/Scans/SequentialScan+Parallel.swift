extension SequentialScan {
    /// Decodes all MCUs, the second half in another thread.
    ///
    /// - Parameters:
    ///   - data: the scan's data, divided where the second half begins.
    ///   - speculative: the second half, which another thread decodes.
    ///   - values: the coefficients of a row of MCUs.
    ///   - threadCount: how many threads may write the second half's samples.
    /// - Returns: whether the other thread's MCUs were used.
    /// - Throws: if the data are damaged or too short.
    func read(
        _ data: inout EntropyCodedData, beside speculative: SpeculativeMCUs, by values: inout [Int16], threadCount: Int
    ) throws(Declined) -> Bool {
        var reader = EntropyBitReader()
        var refillPosition = reader.refillPosition
        var state = ScanState(reader.bits)
        var meeting: Meeting?
        for row in 0..<layout.down {
            for column in 0..<layout.across {
                if state.bits.next > refillPosition {
                    reader.bits = state.bits
                    try data.supply(&reader)
                    (state.bits, refillPosition) = (reader.bits, reader.refillPosition)
                    meeting?.move(to: data, reader)
                    if meeting == nil { meeting = Meeting(data, reader) }
                }
                if meeting != nil, let index = meeting!.index(at: state.bits, speculative) {
                    let rest = PlacedMCUs(
                        self, meeting!.decoded, from: index, at: row * layout.across + column, after: state)
                    if let rest {
                        rest.write(behind: &values, threadCount: threadCount)
                        return true
                    }
                }
                guard readMCU(column, row, reader.bytes, &state, &values) else { throw Declined("a damaged scan") }
            }
            finishRow(row, &values)
        }
        reader.bits = state.bits
        guard !reader.isExhausted else { throw Declined("a scan that is too short") }
        return false
    }

    /// The first thread's position in the second half, where it looks for an MCU boundary of the other thread.
    private struct Meeting {
        private(set) var decoded = DecodedMCUs()
        private var hasWaited = false
        /// The first decoded MCU that does not begin before the first thread's position.
        private var next = 0
        /// The position of the reader's first byte in the second half, in bits.
        private var offset = 0

        /// - Returns: `nil` before the second half.
        init?(_ data: EntropyCodedData, _ reader: EntropyBitReader) {
            guard data.countAtDivision != nil else { return nil }
            move(to: data, reader)
        }

        mutating func move(to data: EntropyCodedData, _ reader: EntropyBitReader) {
            offset = (data.count - reader.byteCount - data.countAtDivision!) * 8
        }

        /// The index of the decoded MCU that begins at this bit, if one does.
        mutating func index(at bits: BitBuffer, _ speculative: SpeculativeMCUs) -> Int? {
            let position = offset &+ bits.position
            if position < 0 { return nil }
            if !hasWaited { (decoded, hasWaited) = (speculative.wait(), true) }
            while next < decoded.starts.count, decoded.starts[next] < position { next += 1 }
            return next < decoded.starts.count && decoded.starts[next] == position ? next : nil
        }
    }
}
