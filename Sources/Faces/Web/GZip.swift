internal import CZlib

/// Compresses the files once, when the service starts.
enum GZip {
    /// The bytes as a gzip member (RFC 1952), as small as zlib makes it.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // Adding 16 to the window's bits requests gzip's header.
        let started = deflateInit2_(
            &stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        precondition(started == Z_OK, "zlib has no memory")
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { target, count in
            bytes.withUnsafeBufferPointer { source in
                // zlib reads through this pointer and never writes.
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = CUnsignedInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = CUnsignedInt(bound)
                let result = deflate(&stream, Z_FINISH)
                precondition(result == Z_STREAM_END, "zlib's own bound was too small")
            }
            count = bound - Int(stream.avail_out)
        }
    }
}
