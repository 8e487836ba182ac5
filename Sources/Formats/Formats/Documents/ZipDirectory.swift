internal import Media

/// The entries of a ZIP archive (PKWARE APPNOTE 6.3): from the central directory at the end, or, if it is damaged or
/// missing, from the local headers at the start.
struct ZipDirectory {
    /// In bytes: some 100,000 entries.
    private static let longestDirectory = 8 << 20

    let entries: [ZipEntry]

    /// Reads the entries; `nil` if there are neither headers nor an end record.
    init?(_ source: BoundedSource) throws(Failure) {
        let central = try Self.centralEntries(source)
        entries = central.isEmpty ? try Self.localEntries(source) : central
        // An empty archive has only an end record.
        if entries.isEmpty && !source.head.has("PK\u{5}\u{6}") { return nil }
    }
}

extension ZipDirectory {
    private static func centralEntries(_ source: BoundedSource) throws(Failure) -> [ZipEntry] {
        guard let (offset, size, shift) = try centralDirectory(source),
            let bytes = try source.available(at: offset, count: Int(min(size, Int64(longestDirectory))))
        else { return [] }
        var entries: [ZipEntry] = []
        var position = 0
        while let (entry, length) = centralEntry(in: bytes, at: position, shift: shift) {
            entries.append(entry)
            position += length
        }
        return entries
    }

    /// The offset and size of the central directory, and the number of bytes before the archive.
    private typealias Place = (offset: Int64, size: Int64, shift: Int64)

    /// Finds the central directory from the end record, which a comment of up to 64 KiB may follow.
    private static func centralDirectory(_ source: BoundedSource) throws(Failure) -> Place? {
        guard let tail = try source.tail(22 + 65_535), let end = endRecord(in: tail.bytes),
            let size = tail.bytes.little(UInt32.self, at: end + 12),
            let start = tail.bytes.little(UInt32.self, at: end + 16)
        else { return nil }
        let endOffset = tail.offset + Int64(end)
        if size == .max || start == .max, let long = try longEndRecord(before: endOffset, source) { return long }
        // If other data precede the archive, the directory still ends at the end record.
        for offset in [Int64(start), endOffset - Int64(size)] {
            if try source.bytes(at: offset, count: 4)?.has("PK\u{1}\u{2}") == true {
                return (offset, Int64(size), offset - Int64(start))
            }
        }
        return nil
    }

    /// The last end record whose comment ends the file; else the last one.
    private static func endRecord(in tail: Bytes) -> Int? {
        var last: Int?
        for position in stride(from: tail.count - 22, through: 0, by: -1) where tail.has("PK\u{5}\u{6}", at: position) {
            let comment = tail.little(UInt16.self, at: position + 20).map(Int.init) ?? 0
            if position + 22 + comment == tail.count { return position }
            last = last ?? position
        }
        return last
    }

    /// The ZIP64 end record, by the locator before the other one (APPNOTE 4.3.14, 4.3.15).
    private static func longEndRecord(before end: Int64, _ source: BoundedSource) throws(Failure) -> Place? {
        guard let locator = try source.bytes(at: end - 20, count: 20), locator.has("PK\u{6}\u{7}"),
            let place = locator.little(UInt64.self, at: 8).flatMap(Int64.init(exactly:)),
            let record = try source.bytes(at: place, count: 56), record.has("PK\u{6}\u{6}"),
            let size = record.little(UInt64.self, at: 40).flatMap(Int64.init(exactly:)),
            let offset = record.little(UInt64.self, at: 48).flatMap(Int64.init(exactly:))
        else { return nil }
        return (offset, size, 0)
    }

    private static func centralEntry(in bytes: Bytes, at position: Int, shift: Int64) -> (entry: ZipEntry, length: Int)?
    {
        guard bytes.has("PK\u{1}\u{2}", at: position), let flags = bytes.little(UInt16.self, at: position + 8),
            let method = bytes.little(UInt16.self, at: position + 10),
            let size = bytes.little(UInt32.self, at: position + 20),
            let nameLength = bytes.little(UInt16.self, at: position + 28),
            let extraLength = bytes.little(UInt16.self, at: position + 30),
            let commentLength = bytes.little(UInt16.self, at: position + 32),
            let offset = bytes.little(UInt32.self, at: position + 42),
            let name = bytes.part(at: position + 46, count: Int(nameLength)),
            let extra = bytes.part(at: position + 46 + Int(nameLength), count: Int(extraLength))
        else { return nil }
        var sizes = LongSizes(extra, hasSize: bytes.little(UInt32.self, at: position + 24) == .max)
        let compressedSize = size == .max ? sizes.take() ?? 0 : UInt64(size)
        let start = offset == .max ? sizes.take().flatMap(Int64.init(exactly:)) ?? -1 : Int64(offset)
        let entry = ZipEntry(
            name: name, method: method, isEncrypted: flags & 1 != 0, compressedSize: compressedSize,
            // On overflow the offset is invalid, and `BoundedSource` refuses it.
            offset: start &+ shift)
        return (entry, 46 + Int(nameLength) + Int(extraLength) + Int(commentLength))
    }

    /// The local headers in the first MiB. If a header lacks the size of its data, the reader searches for the next
    /// header.
    private static func localEntries(_ source: BoundedSource) throws(Failure) -> [ZipEntry] {
        let bytes = try source.opening()
        var entries: [ZipEntry] = []
        var position = 0
        while entries.count < 4096,
            let start = bytes.firstOffset(of: "PK\u{3}\u{4}", in: position..<max(position, bytes.count))
        {
            guard let (entry, length) = localEntry(in: bytes, at: start) else {
                position = start + 4
                continue
            }
            entries.append(entry)
            position = start + length + Int(min(entry.compressedSize, UInt64(bytes.count)))
        }
        return entries
    }

    private static func localEntry(in bytes: Bytes, at position: Int) -> (entry: ZipEntry, length: Int)? {
        guard let flags = bytes.little(UInt16.self, at: position + 6),
            let method = bytes.little(UInt16.self, at: position + 8),
            let size = bytes.little(UInt32.self, at: position + 18),
            let nameLength = bytes.little(UInt16.self, at: position + 26), (1...1024).contains(nameLength),
            let extraLength = bytes.little(UInt16.self, at: position + 28),
            let name = bytes.part(at: position + 30, count: Int(nameLength))
        else { return nil }
        let entry = ZipEntry(
            name: name, method: method, isEncrypted: flags & 1 != 0, compressedSize: size == .max ? 0 : UInt64(size),
            offset: Int64(position))
        return (entry, 30 + Int(nameLength) + Int(extraLength))
    }
}

/// The 64-bit values that replace fields of all ones, in a fixed order (APPNOTE 4.5.3).
private struct LongSizes {
    private var values: [UInt64] = []

    init(_ extra: Bytes, hasSize: Bool) {
        var position = 0
        while let id = extra.little(UInt16.self, at: position), let size = extra.little(UInt16.self, at: position + 2) {
            if id == 1, let field = extra.part(at: position + 4, count: Int(size)) {
                values = stride(from: 0, to: field.count, by: 8).compactMap { field.little(UInt64.self, at: $0) }
            }
            position += 4 + Int(size)
        }
        // The uncompressed size comes first.
        if hasSize { _ = take() }
    }

    mutating func take() -> UInt64? { values.isEmpty ? nil : values.removeFirst() }
}
