package import Media

extension CompoundFile {
    /// The content of a stream in the root storage; `nil` if no stream has this name.
    ///
    /// - Parameter name: in any case.
    /// - Throws: `tooLarge` if it has more than `limit` bytes; `corrupt` if it ends early.
    package func stream(_ name: String, limit: Int) throws(Failure) -> Bytes? {
        let found = try rootEntries().first { $0.kind == .stream && $0.name.lowercased() == name.lowercased() }
        guard let stream = found else { return nil }
        guard stream.byteCount <= UInt64(limit) else {
            throw Failure(.tooLarge, detail: "the stream \(name) has more than \(limit) bytes")
        }
        let count = Int(stream.byteCount)
        let bytes =
            stream.byteCount < UInt64(shortStreamLimit)
            ? try shortContent(from: stream.firstSector, count: count)
            : try content(from: stream.firstSector, count: count)
        guard bytes.count == count else { throw Failure(.corrupt, detail: "the stream \(name) ends early") }
        return bytes
    }

    /// The first `count` bytes of a chain of sectors, or fewer if it ends early. Consecutive sectors are read at once.
    private func content(from first: UInt32, count: Int) throws(Failure) -> Bytes {
        let sectors = try chain(from: first, limit: (count + sectorSize - 1) / sectorSize)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(sectors.count * sectorSize)
        var index = 0
        while index < sectors.count {
            var end = index + 1
            while end < sectors.count, end - index < Self.longestRun, sectors[end] == sectors[end - 1] &+ 1 { end += 1 }
            guard let part = try source.available(at: offset(of: sectors[index]), count: (end - index) * sectorSize)
            else { break }
            part.withBuffer { bytes += $0 }
            index = end
        }
        return Bytes(bytes).first(count)
    }

    private static var longestRun: Int { 512 }

    /// The content of a short stream: mini sectors of 64 bytes in the root entry's stream, chained by their own table
    /// ([MS-CFB] 2.4).
    private func shortContent(from first: UInt32, count: Int) throws(Failure) -> Bytes {
        guard let root = try entry(0) else { return Bytes([]) }
        // This table covers 32 MiB of mini sectors: more than 8,000 short streams.
        let table = try content(from: firstShortTableSector, count: 2 << 20)
        let all = try content(from: root.firstSector, count: Int(min(root.byteCount, 32 << 20)))
        var bytes: [UInt8] = []
        var sector = first
        while bytes.count < count, let part = all.part(at: Int(sector) * 64, count: min(64, count - bytes.count)) {
            part.withBuffer { bytes += $0 }
            guard let next = table.little(UInt32.self, at: Int(sector) * 4) else { break }
            sector = next
        }
        return Bytes(bytes)
    }
}
