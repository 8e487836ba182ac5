internal import Formats
internal import Media
internal import Rendering

/// A PNG's rows from the top, decompressed and without their filters. Two of them are in memory.
struct PNGRows: ~Copyable {
    private let inflater: PNGInflater
    private let pixelByteCount: Int
    /// With a byte for the filter in front.
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

    /// The next row; it is valid until the row after it is asked for.
    mutating func next() throws(Declined) -> UnsafeBufferPointer<UInt8> {
        swap(&row, &above)
        try inflater.read(into: row)
        let samples = UnsafeMutableBufferPointer(rebasing: row[1...])
        try PNGFilter.undo(row[0], samples, UnsafeBufferPointer(rebasing: above[1...]), pixelByteCount)
        return UnsafeBufferPointer(samples)
    }

    /// - Throws: where there is more than the rows, or their checksum is wrong.
    func finish() throws(Declined) { try inflater.finish() }
}
