internal import CISAL

/// The ICC profile in a PNG (11.3.2.3): a name, and the profile compressed.
enum PNGProfile {
    /// Of a profile, compressed or not; the largest that are in use, with tables for every colour, are some megabytes.
    static let largest = 4 << 20

    /// - Parameter body: of the chunk.
    static func bytes(in body: [UInt8]) throws(Declined) -> [UInt8] {
        // At most 79 letters, a zero, the kind of compression: 0 is the only one.
        guard let end = body.prefix(80).firstIndex(of: 0), end > 0, body.count > end + 2, body[end + 1] == 0 else {
            throw Declined("a profile without a name")
        }
        let profile = try inflated(Array(body[(end + 2)...]))
        // Its own first word is its length.
        guard profile.count >= 132, PNGChunks.integer(profile[...]) == profile.count else {
            throw Declined("a profile of another length")
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
        // Not the capacity that it was read into.
        return Array(result[...])
    }
}
