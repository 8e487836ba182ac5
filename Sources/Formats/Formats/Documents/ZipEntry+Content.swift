internal import Media

extension ZipEntry {
    /// The entry's content, cut to `limit` bytes; `nil` where it is encrypted, damaged or compressed in another way.
    func content(in source: BoundedSource, limit: Int) throws(Failure) -> Bytes? {
        guard !isEncrypted, let header = try source.bytes(at: offset, count: 30), header.has("PK\u{3}\u{4}"),
            let nameLength = header.little(UInt16.self, at: 26), let extraLength = header.little(UInt16.self, at: 28)
        else { return nil }
        let start = offset + 30 + Int64(nameLength) + Int64(extraLength)
        // The size may be left to a descriptor behind the data; deflated data end by themselves.
        let size = compressedSize == 0 && method == 8 ? UInt64(limit) : min(compressedSize, UInt64(limit))
        guard let data = try source.available(at: start, count: Int(size)) else { return nil }
        switch method {
        case 0: return data
        case 8: return Inflation.inflate(data, limit: limit)
        default: return nil
        }
    }
}
