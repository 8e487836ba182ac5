internal import CNettle
internal import Media

/// HMAC with SHA-256 (RFC 2104), by nettle: one key for any number of messages.
public struct HMACSHA256: Sendable {
    /// The keyed state from which every message starts.
    private let keyed: hmac_sha256_ctx

    /// - Parameter key: any length; a key of at least 32 bytes is as strong as the code.
    public init(key: [UInt8]) {
        var context = hmac_sha256_ctx()
        nettle_hmac_sha256_set_key(&context, key.count, key)
        keyed = context
    }

    /// The code of a message: 32 bytes.
    public func code(of message: [UInt8]) -> [UInt8] {
        var context = keyed
        if !message.isEmpty { nettle_hmac_sha256_update(&context, message.count, message) }
        return [UInt8](unsafeUninitializedCapacity: Digest.byteCount) { buffer, count in
            nettle_hmac_sha256_digest(&context, Digest.byteCount, buffer.baseAddress!)
            count = Digest.byteCount
        }
    }

    /// Whether a code belongs to a message. The time taken does not reveal where they differ.
    public func accepts(_ code: [UInt8], of message: [UInt8]) -> Bool {
        let expected = self.code(of: message)
        return code.count == expected.count && nettle_memeql_sec(code, expected, expected.count) == 1
    }
}
