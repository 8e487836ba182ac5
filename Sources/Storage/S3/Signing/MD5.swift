internal import CNettle

/// MD5 (RFC 1321), by which every store notices damaged uploads; no protection against anybody.
package struct MD5: Sendable {
    private var context = md5_ctx()

    /// A hasher of an empty message.
    package init() { nettle_md5_init(&context) }

    /// Appends bytes to the message.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        nettle_md5_update(&context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// The 16 bytes of the digest; the hasher starts anew after it.
    package mutating func digest() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            nettle_md5_digest(&context, 16, buffer.baseAddress!)
            count = 16
        }
    }
}
