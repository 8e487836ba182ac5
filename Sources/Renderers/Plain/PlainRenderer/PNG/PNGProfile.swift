internal import CISAL

/// The ICC profile in a PNG (11.3.2.3): a name, and the compressed profile.
enum PNGProfile {
    /// The largest profile, compressed or not. The largest profiles in use, with tables for every colour, take a few
    /// megabytes.
    static let largest = 4 << 20

    /// - Parameter body: the chunk's body.
    static func bytes(in body: [UInt8]) throws(Declined) -> [UInt8] {
        // A name of at most 79 bytes, a zero, the compression method: 0 is the only method.
        guard let end = body.prefix(80).firstIndex(of: 0), end > 0, body.count > end + 2, body[end + 1] == 0 else {
            throw Declined("a profile without a name")
        }
        let profile = try inflated(Array(body[(end + 2)...]))
        // A profile begins with its length.
        guard profile.count >= 132, PNGChunkReader.integer(profile[...]) == profile.count else {
            throw Declined("a profile with the wrong length")
        }
        return profile
    }

    private static func inflated(_ bytes: [UInt8]) throws(Declined) -> [UInt8] {
        let state = UnsafeMutablePointer<inflate_state>.allocate(capacity: 1)
        defer { state.deallocate() }
        isal_inflate_init(state)
        state.pointee.crc_flag = UInt32(ISAL_ZLIB)
        var bytes = bytes
        let result = [UInt8](unsafeUninitializedCapacity: largest) { target, count in
            bytes.withUnsafeMutableBufferPointer { bytes in
                state.pointee.next_in = bytes.baseAddress
                state.pointee.avail_in = UInt32(bytes.count)
                state.pointee.next_out = target.baseAddress
                state.pointee.avail_out = UInt32(target.count)
                let isSound = isal_inflate(state) == ISAL_DECOMP_OK && state.pointee.block_state == ISAL_BLOCK_FINISH
                count = isSound ? target.count - Int(state.pointee.avail_out) : 0
            }
        }
        guard !result.isEmpty else { throw Declined("a damaged profile") }
        // A copy, which does not keep the capacity of `largest` bytes.
        return Array(result[...])
    }
}
