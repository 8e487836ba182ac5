internal import Hashing
internal import Media
internal import Synchronization

/// The hashing progress of incoming files, kept between one holder in this process and the next.
///
/// So an upload in many requests is hashed once and not read again. This is only a cache: bytes whose hash is not
/// cached are read from the file. Hashed bytes never change, because a file only grows.
final class DigestMemory: Sendable {
    /// The state of one file's digest.
    struct Progress: Sendable {
        var hasher = SHA256()
        /// The number of bytes that the hasher has seen.
        var byteCount: Int64 = 0
    }

    /// Each entry takes some 200 bytes.
    private let known = Mutex(Recent<ObjectID, Progress>(cost: 4096))

    func keep(_ progress: Progress, of id: ObjectID) { known.withLock { $0.keep(progress, for: id) } }

    /// Returns and forgets the progress of a file that has `byteCount` bytes.
    func take(_ id: ObjectID, byteCount: Int64) -> Progress {
        let progress = known.withLock { $0.removeValue(for: id) }
        guard let progress, progress.byteCount <= byteCount else { return Progress() }
        return progress
    }
}
