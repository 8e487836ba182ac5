internal import Formats
internal import Media
internal import Rendering

/// A PNG's rows from the top, decompressed and unfiltered; two rows are in memory.
struct PNGRows: ~Copyable {
    private let inflater: PNGInflater
    private let pixelByteCount: Int
    /// The current row, after its filter type.
    private var row: UnsafeMutableBufferPointer<UInt8>
    private var above: UnsafeMutableBufferPointer<UInt8>

    init(_ source: Source, _ header: PNGHeader) throws(Declined) {
        inflater = try PNGInflater(source, at: header.dataOffset)
        pixelByteCount = header.coding.pixelByteCount
        let length = header.coding.rowByteCount(width: header.size.width) + 1
        row = .allocate(capacity: length)
        above = .allocate(capacity: length)
        row.initialize(repeating: 0)
        above.initialize(repeating: 0)
    }

    deinit {
        row.deallocate()
        above.deallocate()
    }

    /// The next row, which is valid until the next call.
    mutating func next() throws(Declined) -> UnsafeBufferPointer<UInt8> {
        swap(&row, &above)
        try inflater.read(into: row)
        let samples = UnsafeMutableBufferPointer(rebasing: row[1...])
        try PNGRowFilter.undo(row[0], samples, UnsafeBufferPointer(rebasing: above[1...]), pixelByteCount)
        return UnsafeBufferPointer(samples)
    }

    /// - Throws: if data follow the last row, or the checksum is wrong.
    func finish() throws(Declined) { try inflater.finish() }
}
