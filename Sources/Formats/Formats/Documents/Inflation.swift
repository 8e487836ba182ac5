internal import CZlib

/// Decompresses raw deflate streams (RFC 1951) with zlib, up to a limit.
enum Inflation {
    /// The first `limit` bytes; `nil` if nothing can be decoded.
    static func inflate(_ data: Bytes, limit: Int) -> Bytes? {
        var stream = z_stream()
        // A negative window size means no zlib header (zlib.h, inflateInit2).
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, -15, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        let output = data.withBuffer { input in
            [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                // zlib does not write to its input, although the type lacks `const`.
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
