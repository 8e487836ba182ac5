internal import CZlib
package import Linux
package import Media

/// Writes a ZIP archive of uncompressed files of any size (APPNOTE.TXT 6.3.10, with the ZIP64 fields).
///
/// `begin`, `part` and `end` write a file; its checksum and lengths follow its bytes. Readers that do not seek find the
/// end of such bytes only in DEFLATE's format (RFC 1951), so the bytes are written as its stored blocks.
package struct ZipArchive {
    private var offset: UInt64 = 0
    private var count: UInt64 = 0
    private var open: Entry?
    /// The rows of the central directory.
    private var rows: ByteSpool
    private var isComplete = false

    private struct Entry {
        let name: [UInt8]
        let moment: Instant
        let offset: UInt64
        var checksum = UInt32(truncatingIfNeeded: crc32(0, nil, 0))
        var byteCount: UInt64 = 0
        /// The length of the bytes in the archive, in their blocks.
        var storedByteCount: UInt64 = 0

        mutating func add(_ piece: UnsafeRawBufferPointer) {
            let bytes = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            checksum = UInt32(truncatingIfNeeded: crc32_z(UInt(checksum), bytes, piece.count))
            byteCount += UInt64(piece.count)
        }
    }

    /// An archive without files.
    ///
    /// - Parameter folder: where the central directory is kept in an unnamed file once it has 64 KiB.
    package init(spoolingIn folder: String) { rows = ByteSpool(in: folder) }

    /// The header of a file, whose bytes follow.
    package mutating func begin(_ name: String, at moment: Instant) -> [UInt8] {
        precondition(open == nil, "the file before has not ended")
        let entry = Entry(name: Array(name.utf8), moment: moment, offset: offset)
        open = entry
        return counted(Self.head(of: entry))
    }

    /// The next bytes of the file that has begun, as they are in the archive.
    package mutating func part(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { open?.add($0) }
        var blocks = Bytes()
        for start in stride(from: 0, to: bytes.count, by: Int(UInt16.max)) {
            Self.append(bytes[start..<min(start + Int(UInt16.max), bytes.count)], isLast: false, to: &blocks)
        }
        open?.storedByteCount += UInt64(blocks.bytes.count)
        return counted(blocks.bytes)
    }

    /// What follows the bytes of the file that has begun: a last, empty block, and the checksum with both lengths.
    package mutating func end() throws(SystemError) -> [UInt8] {
        guard var entry = open else { preconditionFailure("no file has begun") }
        open = nil
        var tail = Bytes()
        Self.append([], isLast: true, to: &tail)
        entry.storedByteCount += UInt64(tail.bytes.count)
        tail.append(UInt32(0x0807_4b50), entry.checksum)
        tail.append(entry.storedByteCount, entry.byteCount)
        try list(entry)
        return counted(tail.bytes)
    }

    /// A stored block (RFC 1951, clause 3.2.4).
    private static func append(_ bytes: ArraySlice<UInt8>, isLast: Bool, to blocks: inout Bytes) {
        blocks.bytes.append(isLast ? 1 : 0)
        blocks.append(UInt16(bytes.count), ~UInt16(bytes.count))
        blocks.bytes += bytes
    }

    private mutating func counted(_ bytes: [UInt8]) -> [UInt8] {
        offset += UInt64(bytes.count)
        return bytes
    }

    private static func head(of entry: Entry) -> [UInt8] {
        var head = Bytes()
        head.append(UInt32(0x0403_4b50))
        describe(entry, in: &head)
        head.append(UInt16(entry.name.count), UInt16(20))
        head.bytes += entry.name
        head.append(UInt16(1), UInt16(16))
        head.append(entry.byteCount, entry.storedByteCount)
        return head.bytes
    }

    /// Adds the entry's row to the directory.
    private mutating func list(_ entry: Entry) throws(SystemError) {
        var row = Bytes()
        row.append(UInt32(0x0201_4b50))
        row.append(UInt16(3 << 8 | 45))
        Self.describe(entry, in: &row)
        row.append(UInt16(entry.name.count), UInt16(28), UInt16(0), UInt16(0), UInt16(0))
        // A regular file of mode 0600, as on Unix; its offset is in the ZIP64 field.
        row.append(UInt32(0o100600) << 16, UInt32.max)
        row.bytes += entry.name
        row.append(UInt16(1), UInt16(24))
        row.append(entry.byteCount, entry.storedByteCount, entry.offset)
        try rows.append(row.bytes)
        count += 1
    }

    /// The next bytes of the central directory, which completes the archive: at most 1 MiB; `nil` at its end. No file
    /// may begin after it.
    package mutating func directory() throws(SystemError) -> [UInt8]? {
        if !isComplete {
            isComplete = true
            try rows.append(directoryEnd())
        }
        return try rows.next()
    }

    private func directoryEnd() -> [UInt8] {
        let size = rows.byteCount
        var end = Bytes()
        end.append(UInt32(0x0606_4b50))
        end.append(UInt64(44))
        end.append(UInt16(3 << 8 | 45), UInt16(45))
        end.append(UInt32(0), UInt32(0))
        end.append(count, count, size, offset)
        end.append(UInt32(0x0706_4b50), UInt32(0))
        end.append(offset + size)
        end.append(UInt32(1), UInt32(0x0605_4b50))
        end.append(UInt16(0), UInt16(0), UInt16.max, UInt16.max)
        end.append(UInt32.max, UInt32.max)
        end.append(UInt16(0))
        return end.bytes
    }

    /// The fields that header and directory share: versions, flags, method, time, checksum, sizes.
    private static func describe(_ entry: Entry, in bytes: inout Bytes) {
        let (date, time) = dosTime(of: entry.moment)
        // Version 4.5 supports ZIP64; names are UTF-8; bit 3 says that checksum and lengths follow; method 8 is
        // DEFLATE.
        bytes.append(UInt16(45), UInt16(0x0808), UInt16(8), time, date)
        bytes.append(entry.checksum, UInt32.max, UInt32.max)
    }

    /// The date and time of an entry in UTC, from `2026-01-31T09:00:00.120Z`.
    private static func dosTime(of moment: Instant) -> (date: UInt16, time: UInt16) {
        let parts = moment.description.split { !$0.isNumber }.prefix(6).compactMap { UInt16($0) }
        guard parts.count == 6, (1980...2107).contains(parts[0]) else { return (0x21, 0) }
        return ((parts[0] - 1980) << 9 | parts[1] << 5 | parts[2], parts[3] << 11 | parts[4] << 5 | parts[5] / 2)
    }

    /// Numbers in little-endian order.
    private struct Bytes {
        var bytes: [UInt8] = []

        mutating func append<Number: FixedWidthInteger>(_ numbers: Number...) {
            for number in numbers { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
        }
    }
}
