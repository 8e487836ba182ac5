internal import CZlib

extension Inflation {
    /// Decompresses a raw deflate stream piece by piece, in its own buffer.
    final class Stream {
        private var stream = z_stream()
        private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 << 10)
        /// Whether the stream's own end was reached.
        private(set) var isFinished = false

        /// `nil` if memory is exhausted.
        init?() {
            let size = Int32(MemoryLayout<z_stream>.size)
            guard inflateInit2_(&stream, -15, ZLIB_VERSION, size) == Z_OK else {
                buffer.deallocate()
                return nil
            }
        }

        deinit {
            inflateEnd(&stream)
            buffer.deallocate()
        }

        /// Decompresses a piece and lends the output to `body` until `body` has enough.
        ///
        /// - Returns: `false` if the data are damaged or `body` has enough.
        func inflate<Thrown: Error>(
            _ piece: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws(Thrown) -> Bool
        ) throws(Thrown) -> Bool {
            // zlib does not write to its input, although the type lacks `const`.
            stream.next_in = UnsafeMutablePointer(mutating: piece.baseAddress)
            stream.avail_in = UInt32(clamping: piece.count)
            while !isFinished {
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return false }
                isFinished = status == Z_STREAM_END
                let count = buffer.count - Int(stream.avail_out)
                if count > 0, try !body(UnsafeBufferPointer(rebasing: buffer[..<count])) { return false }
                if count < buffer.count { break }
            }
            return true
        }
    }
}
