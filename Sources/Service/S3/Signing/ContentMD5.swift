internal import CNettle
internal import Media

/// The header field by which every store notices damaged uploads (RFC 1864). Some do not look at the SHA-256 that is signed.
enum ContentMD5 {
    /// The field for these bytes.
    static func field(of bytes: UnsafeRawBufferPointer) -> (name: String, value: String) {
        var context = md5_ctx()
        nettle_md5_init(&context)
        if let start = bytes.baseAddress, !bytes.isEmpty {
            nettle_md5_update(&context, bytes.count, start.assumingMemoryBound(to: UInt8.self))
        }
        let digest = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            nettle_md5_digest(&context, 16, buffer.baseAddress!)
            count = 16
        }
        return ("Content-MD5", Base64.encode(digest))
    }
}
