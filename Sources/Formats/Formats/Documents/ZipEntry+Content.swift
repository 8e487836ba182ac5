internal import Media

extension ZipEntry {
    /// The first `limit` bytes of the entry's content; `nil` where it is encrypted, damaged, or neither stored nor
    /// deflated.
    func content(in source: BoundedSource, limit: Int) throws(Failure) -> Bytes? {
        guard !isEncrypted, let header = try source.bytes(at: offset, count: 30), header.has("PK\u{3}\u{4}"),
            let nameLength = header.little(UInt16.self, at: 26), let extraLength = header.little(UInt16.self, at: 28)
        else { return nil }
        let start = offset + 30 + Int64(nameLength) + Int64(extraLength)
        // The size may stand behind the data only; a deflated stream marks its own end.
        let size = compressedSize == 0 && method == 8 ? UInt64(limit) : min(compressedSize, UInt64(limit))
        guard let data = try source.available(at: start, count: Int(size)) else { return nil }
        switch method {
        case 0: return data
        case 8: return Inflation.inflate(data, limit: limit)
        default: return nil
        }
    }
}
