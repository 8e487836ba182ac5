internal import Hashing
internal import Media
internal import Synchronization

/// How far incoming files are hashed, between one holder in this process and the next.
///
/// An upload in many requests is then hashed once and not read again. It is a convenience only: what is not remembered is read
/// from the file. The bytes that were hashed never change, since a file only grows.
final class DigestMemory: Sendable {
    /// The state of one file's digest.
    struct Progress: Sendable {
        var hasher = SHA256()
        /// The number of bytes that the hasher has seen.
        var byteCount: Int64 = 0
    }

    /// Each takes some 200 bytes.
    private let known = Mutex(Recent<ObjectID, Progress>(cost: 4096))

    func keep(_ progress: Progress, of id: ObjectID) { known.withLock { $0.keep(progress, for: id) } }

    /// Hands over what is known of a file with so many bytes, and forgets it.
    func take(_ id: ObjectID, byteCount: Int64) -> Progress {
        let progress = known.withLock { $0.removeValue(for: id) }
        guard let progress, progress.byteCount <= byteCount else { return Progress() }
        return progress
    }
}
