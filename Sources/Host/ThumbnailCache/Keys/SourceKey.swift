public import Media

/// The key of a source's entry in the cache.
public enum SourceKey: Hashable, Sendable {
    /// SHA-256 of the source's bytes: the entry serves every machine and user.
    case digest(Digest)
    /// The file's identity without its bytes: the entry serves this machine and user.
    case local(StatKey)

    /// The entry's folder below the cache's: `v1/ab/cd/<digest>` or `local/ab/cd/<stat key>`.
    package var folder: String {
        switch self {
        case .digest(let digest): "\(CacheLayout.entries)/\(CacheLayout.fannedOut(digest.hex))"
        case .local(let key): "\(CacheLayout.local)/\(CacheLayout.fannedOut(key.digest.hex))"
        }
    }
}
