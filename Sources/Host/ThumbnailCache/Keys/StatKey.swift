internal import Hashing
public import Linux
public import Media

/// A source's identity without its bytes: of a file by its status, private to one machine, or of remote content.
///
/// For a file: SHA-256 over device, inode, size, modification time and change time (nanoseconds), each as 8 bytes,
/// big-endian. Any write to the file, any rename over it and any change of its mode changes the key.
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

    /// The key of remote content, by its address and the version that its server states: SHA-256 over the text
    /// `remote`, the length as 8 bytes, and both texts, each after a zero byte.
    ///
    /// - Parameters:
    ///   - address: without passwords and without its signature.
    ///   - version: changes with the content, such as an entity tag.
    public init(ofAddress address: String, version: String, byteCount: Int64) {
        var bytes = Array("remote".utf8)
        withUnsafeBytes(of: byteCount.bigEndian) { bytes.append(contentsOf: $0) }
        for text in [address, version] { bytes += [0] + Array(text.utf8) }
        digest = SHA256.digest(of: bytes)
    }
}
