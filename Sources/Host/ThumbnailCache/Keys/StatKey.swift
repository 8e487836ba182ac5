public import Linux
public import Media

/// A file's identity by its status, without its bytes: private to one machine.
///
/// SHA-256 over device, inode, size, time of modification and time of change (nanoseconds), each as 8 bytes, the most
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
}
