internal import CZlib
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

/// Raw deflated data (RFC 1951) to bytes, by zlib, with a limit that no bomb passes.
enum Inflation {
    /// As much as there is, up to `limit` bytes; `nil` where nothing could be decoded.
    static func inflate(_ data: Bytes, limit: Int) -> Bytes? {
        var stream = z_stream()
        // A negative window size means no zlib header (zlib.h, inflateInit2).
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, -15, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        let output = data.withBuffer { input in
            [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                // zlib does not write to its input, whose type lacks the const.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(clamping: limit)
                _ = CZlib.inflate(&stream, Z_SYNC_FLUSH)
                count = limit - Int(stream.avail_out)
            }
        }
        return output.isEmpty ? nil : Bytes(output)
    }
}
