import CZlib
import Documents
import Linux

/// Writes a ZIP archive of files that are not compressed, each of any size (APPNOTE.TXT 6.3.10, with the fields of ZIP64).
struct ZipWriter: ~Copyable {
    private let file: Descriptor
    private var offset: UInt64 = 0
    private var entries: [Entry] = []

    private struct Entry {
        let name: [UInt8]
        let moment: Instant
        let checksum: UInt32
        let byteCount: UInt64
        let offset: UInt64
    }

    /// - Parameter file: an empty file, open for writing.
    init(_ file: consuming Descriptor) { self.file = file }

    /// Adds a file in pieces.
    ///
    /// - Parameter read: calls its argument with each piece; it is called twice, for the checksum and for the bytes.
    mutating func add(
        _ name: String, at moment: Instant, read: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws {
        var (checksum, byteCount) = (crc32(0, nil, 0), UInt64(0))
        try read { piece in
            checksum = crc32_z(checksum, piece.baseAddress?.assumingMemoryBound(to: UInt8.self), piece.count)
            byteCount += UInt64(piece.count)
        }
        let entry = Entry(
            name: Array(name.utf8), moment: moment, checksum: UInt32(truncatingIfNeeded: checksum),
            byteCount: byteCount,
            offset: offset)
        entries.append(entry)
        var head = Bytes()
        head.append(UInt32(0x0403_4b50))
        Self.describe(entry, in: &head)
        head.append(UInt16(entry.name.count), UInt16(20))
        head.bytes += entry.name
        head.append(UInt16(1), UInt16(16))
        head.append(byteCount, byteCount)
        try write(head.bytes)
        try read { try file.write($0) }
        offset += byteCount
    }

    /// Adds a file of these bytes.
    mutating func add(_ name: String, at moment: Instant, _ bytes: [UInt8]) throws {
        try add(name, at: moment) { piece in try bytes.withUnsafeBytes { try piece($0) } }
    }

    /// Writes the directory, which makes the archive whole.
    mutating func finish() throws {
        let start = offset
        for entry in entries {
            var row = Bytes()
            row.append(UInt32(0x0201_4b50))
            row.append(UInt16(3 << 8 | 45))
            Self.describe(entry, in: &row)
            row.append(UInt16(entry.name.count), UInt16(28), UInt16(0), UInt16(0), UInt16(0))
            // A regular file of mode 0600, as Unix has it; its place stands in the field of ZIP64.
            row.append(UInt32(0o100600) << 16, UInt32.max)
            row.bytes += entry.name
            row.append(UInt16(1), UInt16(24))
            row.append(entry.byteCount, entry.byteCount, entry.offset)
            try write(row.bytes)
        }
        let (directory, size, count) = (offset, offset - start, UInt64(entries.count))
        var end = Bytes()
        end.append(UInt32(0x0606_4b50))
        end.append(UInt64(44))
        end.append(UInt16(3 << 8 | 45), UInt16(45))
        end.append(UInt32(0), UInt32(0))
        end.append(count, count, size, start)
        end.append(UInt32(0x0706_4b50), UInt32(0))
        end.append(directory)
        end.append(UInt32(1), UInt32(0x0605_4b50))
        end.append(UInt16(0), UInt16(0), UInt16.max, UInt16.max)
        end.append(UInt32.max, UInt32.max)
        end.append(UInt16(0))
        try write(end.bytes)
    }

    /// The fields that header and directory share: versions, flags, method, time, checksum, sizes.
    private static func describe(_ entry: Entry, in bytes: inout Bytes) {
        let (date, time) = dosTime(of: entry.moment)
        // Version 4.5 knows ZIP64; names are UTF-8; method 0 stores.
        bytes.append(UInt16(45), UInt16(0x0800), UInt16(0), time, date)
        bytes.append(entry.checksum, UInt32.max, UInt32.max)
    }

    /// The date and time of an entry in UTC, from `2026-01-31T09:00:00.120Z`.
    private static func dosTime(of moment: Instant) -> (date: UInt16, time: UInt16) {
        let parts = moment.description.split { !$0.isNumber }.prefix(6).compactMap { UInt16($0) }
        guard parts.count == 6, (1980...2107).contains(parts[0]) else { return (0x21, 0) }
        return ((parts[0] - 1980) << 9 | parts[1] << 5 | parts[2], parts[3] << 11 | parts[4] << 5 | parts[5] / 2)
    }

    private mutating func write(_ bytes: [UInt8]) throws {
        try file.write(bytes)
        offset += UInt64(bytes.count)
    }

    /// Numbers, the lowest byte first.
    private struct Bytes {
        var bytes: [UInt8] = []

        mutating func append<Number: FixedWidthInteger>(_ numbers: Number...) {
            for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
        }
    }
}
