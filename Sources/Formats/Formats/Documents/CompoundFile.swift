package import Media

/// An OLE compound file ([MS-CFB]): a small file system of storages and streams within one file.
///
/// It reads the sectors that lead to the root's entries and to the first bytes of a stream. It follows chains for a
/// bounded number of steps, so a cycle ends the reading like damage.
package struct CompoundFile {
    let source: BoundedSource
    let sectorSize: Int
    /// The header's part of the DIFAT: the sectors of the allocation table.
    private let headerTable: Bytes
    private let firstTableList: UInt32
    private let firstDirectorySector: UInt32
    let shortStreamLimit: UInt32
    let firstShortTableSector: UInt32

    /// The directory's sectors in the order of their entries.
    private var directory: [UInt32] = []

    /// Whether a file begins with the signature of [MS-CFB] 2.2.
    package static func hasSignature(_ head: Bytes) -> Bool {
        head.has([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
    }

    /// Reads the header and follows the directory's chain; `nil` if the header is invalid.
    package init?(_ source: BoundedSource) throws(Failure) {
        let head = source.head
        guard Self.hasSignature(head), let shift = head.little(UInt16.self, at: 30), shift == 9 || shift == 12,
            let directory = head.little(UInt32.self, at: 48), let limit = head.little(UInt32.self, at: 56),
            let shortTable = head.little(UInt32.self, at: 60), let list = head.little(UInt32.self, at: 68),
            let table = head.part(at: 76, count: 436)
        else { return nil }
        self.source = source
        sectorSize = 1 << Int(shift)
        firstDirectorySector = directory
        shortStreamLimit = limit
        firstShortTableSector = shortTable
        firstTableList = list
        headerTable = table
        self.directory = try chain(from: directory, limit: 16_384)
    }

    /// The entries of the root storage, without the entries of nested storages.
    func rootEntries() throws(Failure) -> [CompoundEntry] {
        guard let root = try entry(0), root.kind == .root else { return [] }
        var found: [CompoundEntry] = []
        var seen: Set<UInt32> = []
        var waiting = [root.child]
        while let index = waiting.popLast(), seen.count < 4096 {
            guard index <= CompoundEntry.highestIndex, seen.insert(index).inserted, let entry = try entry(index) else {
                continue
            }
            found.append(entry)
            waiting += [entry.left, entry.right]
        }
        return found
    }

    /// The first `count` bytes of a stream, or fewer; for a short stream, the 64 bytes of its first mini sector.
    func firstBytes(of stream: CompoundEntry, count: Int) throws(Failure) -> Bytes {
        if stream.byteCount < UInt64(shortStreamLimit) { return try shortStream(stream) }
        var bytes: [UInt8] = []
        let wanted = Int(min(stream.byteCount, UInt64(count)))
        for sector in try chain(from: stream.firstSector, limit: (wanted + sectorSize - 1) / sectorSize) {
            guard let part = try source.available(at: offset(of: sector), count: sectorSize) else { break }
            part.withBuffer { bytes += $0 }
        }
        return Bytes(bytes).first(wanted)
    }

    /// Mini sectors of 64 bytes follow each other in the root entry's stream.
    private func shortStream(_ stream: CompoundEntry) throws(Failure) -> Bytes {
        guard let root = try entry(0), stream.firstSector < 1 << 20 else { return Bytes([]) }
        let position = Int(stream.firstSector) * 64
        let sectors = try chain(from: root.firstSector, limit: position / sectorSize + 1)
        guard sectors.count == position / sectorSize + 1, let sector = sectors.last else { return Bytes([]) }
        let part = try source.available(at: offset(of: sector) + Int64(position % sectorSize), count: 64)
        return (part ?? Bytes([])).first(Int(min(stream.byteCount, 64)))
    }

    func entry(_ index: UInt32) throws(Failure) -> CompoundEntry? {
        let entriesASector = sectorSize / CompoundEntry.byteCount
        let (position, place) = Int(index).quotientAndRemainder(dividingBy: entriesASector)
        guard position < directory.count else { return nil }
        let offset = offset(of: directory[position]) + Int64(place * CompoundEntry.byteCount)
        return try source.bytes(at: offset, count: CompoundEntry.byteCount).flatMap(CompoundEntry.init)
    }
}

extension CompoundFile {
    /// Higher sector numbers have a special meaning: end of chain, free, table.
    private static let highestSector: UInt32 = 0xFFFF_FFFA

    /// The header occupies one sector.
    func offset(of sector: UInt32) -> Int64 { (Int64(sector) + 1) * Int64(sectorSize) }

    /// The sectors of a chain, at most `limit` of them.
    func chain(from first: UInt32, limit: Int) throws(Failure) -> [UInt32] {
        var sectors: [UInt32] = []
        var sector = first
        var table = TableCursor()
        while sectors.count < limit, sector <= Self.highestSector, offset(of: sector) < source.byteCount {
            sectors.append(sector)
            // A sector twice in a row is the most common cycle; longer cycles end at the limit.
            guard let next = try self.next(after: sector, &table), next != sector else { break }
            sector = next
        }
        return sectors
    }

    /// The last-read sector of the allocation table: chains mostly stay within one sector.
    private struct TableCursor {
        var index = -1
        var sector = Bytes([])
    }

    private func next(after sector: UInt32, _ table: inout TableCursor) throws(Failure) -> UInt32? {
        let (index, place) = Int(sector).quotientAndRemainder(dividingBy: sectorSize / 4)
        if index != table.index {
            guard let location = try tableSector(index),
                let bytes = try source.available(at: offset(of: location), count: sectorSize)
            else { return nil }
            table = TableCursor(index: index, sector: bytes)
        }
        return table.sector.little(UInt32.self, at: place * 4)
    }

    /// The number of the allocation table's `index`-th sector: the header lists 109, a chain of lists the others
    /// ([MS-CFB] 2.5).
    private func tableSector(_ index: Int) throws(Failure) -> UInt32? {
        if index < 109 { return headerTable.little(UInt32.self, at: index * 4) }
        let perList = sectorSize / 4 - 1
        var list = firstTableList
        // 256 lists of 512-byte sectors describe 2 GB, the most that such a file may have.
        guard (index - 109) / perList < 256 else { return nil }
        for _ in 0..<(index - 109) / perList {
            guard let next = try tableListEntry(list, perList) else { return nil }
            list = next
        }
        return try tableListEntry(list, (index - 109) % perList)
    }

    private func tableListEntry(_ list: UInt32, _ place: Int) throws(Failure) -> UInt32? {
        guard list <= Self.highestSector else { return nil }
        return try source.bytes(at: offset(of: list) + Int64(place * 4), count: 4)?.little(UInt32.self, at: 0)
    }
}
