internal import Hashing
package import Media

/// Bytes to send, with their sums. The memory must not change until the request has returned.
package struct S3Body {
    let bytes: UnsafeRawBufferPointer
    /// The SHA-256 of the bytes.
    package let digest: Digest
    /// For `Content-MD5` (RFC 1864): some stores do not check the signed SHA-256.
    let md5: [UInt8]

    /// Bytes whose sums are known.
    package init(_ bytes: UnsafeRawBufferPointer, digest: Digest, md5: [UInt8]) {
        (self.bytes, self.digest, self.md5) = (bytes, digest, md5)
    }

    /// Bytes that this initialiser hashes.
    package init(_ bytes: UnsafeRawBufferPointer) {
        var (hasher, md5) = (SHA256(), MD5())
        hasher.update(bytes)
        md5.update(bytes)
        self.init(bytes, digest: hasher.digest(), md5: md5.digest())
    }

    var field: (name: String, value: String) { ("Content-MD5", Base64.encode(md5)) }
}
