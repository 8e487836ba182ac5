internal import Hashing
public import Linux
public import Media

/// A source's identity without its bytes: a file's by its status, private to one machine, or that of content elsewhere.
///
/// Of a file: SHA-256 over device, inode, size, time of modification and time of change (nanoseconds), each as 8 bytes, the most
/// significant first. Any write to the file, any rename over it and any change of its mode gives another key.
public struct StatKey: Hashable, Sendable {
    /// The 32 bytes, printed like a digest.
    public let digest: Digest

    /// The key of the file with this status.
    public init(of status: FileStatus) {
        let numbers = [
            status.device, status.inode, UInt64(bitPattern: status.byteCount), UInt64(bitPattern: status.modified),
            UInt64(bitPattern: status.changed),
        ]
        digest = SHA256.digest(of: numbers.flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) })
    }

    /// The key of content elsewhere, by its address and the version that its server names: SHA-256 over the text `remote`, the
    /// length as 8 bytes, and both texts, each behind a zero byte.
    ///
    /// - Parameters:
    ///   - address: without passwords, and without what signs it.
    ///   - version: changes with the content, such as an entity tag.
    public init(ofAddress address: String, version: String, byteCount: Int64) {
        var bytes = Array("remote".utf8)
        withUnsafeBytes(of: byteCount.bigEndian) { bytes.append(contentsOf: $0) }
        for text in [address, version] { bytes += [0] + Array(text.utf8) }
        digest = SHA256.digest(of: bytes)
    }
}
