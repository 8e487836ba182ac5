internal import Formats
internal import Media

/// The stored rows of a document's flattened picture: all rows of one plane, then all rows of the next.
struct PhotoshopPlanes {
    private let source: Source
    private let header: PhotoshopHeader
    /// The place where the first row begins.
    private let place: Int64
    /// The byte counts of the compressed rows of all planes; empty if rows are not compressed.
    private let rowCounts: [UInt32]

    /// Reads the compression method and the byte counts.
    ///
    /// - Parameter place: the place of the two bytes with the compression method.
    /// - Throws: `corrupt`, or `unsupported` for methods other than none and PackBits.
    init(_ source: Source, at place: Int64, _ header: PhotoshopHeader) throws(Failure) {
        let bytes = try source.bytes(at: place, count: 2)
        guard bytes.count == 2 else { throw .brokenOff }
        guard bytes.big16(at: 0) <= 1 else {
            throw Failure(.unsupported, detail: "Photoshop's packing \(bytes.big16(at: 0)) of a flattened picture")
        }
        rowCounts = bytes.big16(at: 0) == 1 ? try Self.rowCounts(source, at: place + 2, header) : []
        self.source = source
        self.header = header
        self.place = place + 2 + Int64(rowCounts.count * Self.countWidth(header))
    }

    private static func countWidth(_ header: PhotoshopHeader) -> Int { header.isLarge ? 4 : 2 }

    private static func rowCounts(
        _ source: Source, at place: Int64, _ header: PhotoshopHeader
    ) throws(Failure) -> [UInt32] {
        let count = header.planeCount * header.size.height
        let bytes = try source.bytes(at: place, count: count * countWidth(header))
        guard bytes.count == count * countWidth(header) else { throw .brokenOff }
        return (0..<count).map { header.isLarge ? bytes.big32(at: $0 * 4) : UInt32(bytes.big16(at: $0 * 2)) }
    }

    /// Calls `visit` with each row of a plane, from the top.
    ///
    /// - Throws: `corrupt` if the file ends before a row does.
    func read(_ plane: Int, _ visit: (_ y: Int, _ row: [UInt8]) -> Void) throws(Failure) {
        if !rowCounts.isEmpty { return try readPacked(plane, visit) }
        let count = header.rowByteCount
        let start = place + Int64(plane) * Int64(header.size.height) * Int64(count)
        for y in 0..<header.size.height {
            let row = try source.bytes(at: start + Int64(y) * Int64(count), count: count)
            guard row.count == count else { throw .brokenOff }
            visit(y, row)
        }
    }

    private func readPacked(_ plane: Int, _ visit: (_ y: Int, _ row: [UInt8]) -> Void) throws(Failure) {
        let height = header.size.height
        var start = place + rowCounts[..<(plane * height)].reduce(0) { $0 + Int64($1) }
        var row = [UInt8](repeating: 0, count: header.rowByteCount)
        for y in 0..<height {
            let count = Int(rowCounts[plane * height + y])
            let packed = try source.bytes(at: start, count: min(count, Self.longestPacked(row.count)))
            guard Self.unpack(packed, into: &row) else { throw .brokenOff }
            visit(y, row)
            start += Int64(count)
        }
    }

    /// The maximum number of bytes in a row: two for each run of one byte.
    private static func longestPacked(_ rowByteCount: Int) -> Int { rowByteCount * 2 + 128 }

    /// Decompresses a PackBits row (TIFF 6.0, section 9); returns whether it is complete.
    static func unpack(_ packed: [UInt8], into row: inout [UInt8]) -> Bool {
        var (from, to) = (0, 0)
        while to < row.count, from < packed.count {
            let head = Int(packed[from])
            from += 1
            if head < 128 {
                let count = min(head + 1, packed.count - from, row.count - to)
                for index in 0..<count { row[to + index] = packed[from + index] }
                from += head + 1
                to += count
            } else if head > 128, from < packed.count {
                let count = min(257 - head, row.count - to)
                for index in 0..<count { row[to + index] = packed[from] }
                from += 1
                to += count
            }
        }
        return to == row.count
    }
}
