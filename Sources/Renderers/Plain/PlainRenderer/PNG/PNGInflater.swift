internal import CISAL
internal import Formats
internal import Media
internal import Rendering

/// Decompresses a PNG's IDAT chunks as one stream (10.1) with ISA-L, in half of zlib's time.
final class PNGInflater {
    private let state: UnsafeMutablePointer<inflate_state>
    private var chunks: PNGChunkReader
    private var chunk: PNGChunk
    private var taken = 0
    private let piece: UnsafeMutableBufferPointer<UInt8>
    private let source: Source

    private static let pieceLength = 128 << 10

    init(_ source: Source, at offset: Int64) throws(Declined) {
        var chunks = PNGChunkReader(source, at: offset)
        chunk = try chunks.next()
        self.chunks = chunks
        self.source = source
        piece = .allocate(capacity: Self.pieceLength)
        state = .allocate(capacity: 1)
        isal_inflate_init(state)
        // ISA-L also verifies the checksum at the end.
        state.pointee.crc_flag = UInt32(ISAL_ZLIB)
    }

    deinit {
        state.deallocate()
        piece.deallocate()
    }

    /// Fills `target`.
    ///
    /// - Throws: if the data are damaged or end too early.
    func read(into target: UnsafeMutableBufferPointer<UInt8>) throws(Declined) {
        state.pointee.next_out = target.baseAddress
        state.pointee.avail_out = UInt32(target.count)
        while true {
            // The input supplied earlier may be enough.
            try inflate()
            if state.pointee.avail_out == 0 { return }
            guard state.pointee.block_state != ISAL_BLOCK_FINISH else { throw Declined("pixels are missing") }
            if state.pointee.avail_in == 0 { try supply() }
        }
    }

    /// - Throws: if the stream does not end here, or its checksum is wrong.
    func finish() throws(Declined) {
        var beyond: UInt8 = 0
        try withUnsafeMutablePointer(to: &beyond) { beyond throws(Declined) in
            state.pointee.next_out = beyond
            state.pointee.avail_out = 1
            while state.pointee.block_state != ISAL_BLOCK_FINISH {
                try inflate()
                guard state.pointee.avail_out == 1 else { throw Declined("data after the pixels") }
                if state.pointee.block_state != ISAL_BLOCK_FINISH, state.pointee.avail_in == 0 { try supply() }
            }
        }
    }

    private func inflate() throws(Declined) {
        let status = isal_inflate(state)
        guard status == ISAL_DECOMP_OK || status == ISAL_END_INPUT else { throw Declined("damaged pixels: \(status)") }
    }

    /// Supplies the next piece of the IDAT chunks to ISA-L.
    private func supply() throws(Declined) {
        while taken == chunk.byteCount {
            chunk = try chunks.next()
            taken = 0
            guard chunk.type == "IDAT" else { throw Declined("pixels are missing") }
        }
        let count = min(chunk.byteCount - taken, piece.count)
        let part = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(piece)[..<count])
        guard let read = try? source.read(into: part, at: chunk.offset + 8 + Int64(taken)), read == count else {
            throw Declined("truncated")
        }
        taken += count
        state.pointee.next_in = piece.baseAddress
        state.pointee.avail_in = UInt32(count)
    }
}
