internal import CNettle

/// MD5 (RFC 1321), with which every store detects damaged uploads. It is no protection against attackers.
package struct MD5: Sendable {
    private var context = md5_ctx()

    /// A hasher of an empty message.
    package init() { nettle_md5_init(&context) }

    /// Appends bytes to the message.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        nettle_md5_update(&context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// The 16 bytes of the digest. Afterwards, the hasher is reset.
    package mutating func digest() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            nettle_md5_digest(&context, 16, buffer.baseAddress!)
            count = 16
        }
    }
}
