internal import CZlib
internal import Documents

/// The headers and the directory of a ZIP archive whose files are not compressed, each of any size (APPNOTE.TXT 6.3.10, with the fields of
/// ZIP64). Whoever makes the archive writes the files' bytes between them.
struct ZipArchive {
    private var offset: UInt64 = 0
    private var entries: [Entry] = []

    private struct Entry {
        let name: [UInt8]
        let moment: Instant
        let checksum: UInt32
        let byteCount: UInt64
        let offset: UInt64
    }

    /// The CRC-32 of bytes that come in pieces.
    struct Checksum {
        private(set) var value = UInt32(truncatingIfNeeded: crc32(0, nil, 0))
        private(set) var byteCount: UInt64 = 0

        mutating func add(_ piece: UnsafeRawBufferPointer) {
            let bytes = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            value = UInt32(truncatingIfNeeded: crc32_z(UInt(value), bytes, piece.count))
            byteCount += UInt64(piece.count)
        }
    }

    /// What stands before the bytes of a file; as many as the checksum counts have to follow.
    mutating func header(_ name: String, at moment: Instant, _ checksum: Checksum) -> [UInt8] {
        let entry = Entry(
            name: Array(name.utf8), moment: moment, checksum: checksum.value, byteCount: checksum.byteCount,
            offset: offset)
        entries.append(entry)
        var head = Bytes()
        head.append(UInt32(0x0403_4b50))
        Self.describe(entry, in: &head)
        head.append(UInt16(entry.name.count), UInt16(20))
        head.bytes += entry.name
        head.append(UInt16(1), UInt16(16))
        head.append(entry.byteCount, entry.byteCount)
        offset += UInt64(head.bytes.count) + entry.byteCount
        return head.bytes
    }

    /// What stands behind the last file, and makes the archive whole.
    func directory() -> [UInt8] {
        var rows = Bytes()
        for entry in entries {
            rows.append(UInt32(0x0201_4b50))
            rows.append(UInt16(3 << 8 | 45))
            Self.describe(entry, in: &rows)
            rows.append(UInt16(entry.name.count), UInt16(28), UInt16(0), UInt16(0), UInt16(0))
            // A regular file of mode 0600, as Unix has it; its place stands in the field of ZIP64.
            rows.append(UInt32(0o100600) << 16, UInt32.max)
            rows.bytes += entry.name
            rows.append(UInt16(1), UInt16(24))
            rows.append(entry.byteCount, entry.byteCount, entry.offset)
        }
        let (size, count) = (UInt64(rows.bytes.count), UInt64(entries.count))
        rows.append(UInt32(0x0606_4b50))
        rows.append(UInt64(44))
        rows.append(UInt16(3 << 8 | 45), UInt16(45))
        rows.append(UInt32(0), UInt32(0))
        rows.append(count, count, size, offset)
        rows.append(UInt32(0x0706_4b50), UInt32(0))
        rows.append(offset + size)
        rows.append(UInt32(1), UInt32(0x0605_4b50))
        rows.append(UInt16(0), UInt16(0), UInt16.max, UInt16.max)
        rows.append(UInt32.max, UInt32.max)
        rows.append(UInt16(0))
        return rows.bytes
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

    /// Numbers, the lowest byte first.
    private struct Bytes {
        var bytes: [UInt8] = []

        mutating func append<Number: FixedWidthInteger>(_ numbers: Number...) {
            for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
        }
    }
}
