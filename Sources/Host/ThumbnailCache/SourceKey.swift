public import Media

/// Under what a source's entry lies in the cache.
public enum SourceKey: Hashable, Sendable {
    /// The source's bytes are known: the entry serves every machine and user.
    case digest(Digest)
    /// Only what the kernel says of the file is known: the entry serves this machine and user.
    case local(StatKey)

    /// The entry's folder below the cache's: `v1/ab/cd/<digest>` or `local/ab/cd/<stat key>`.
    package var folder: String {
        switch self {
        case .digest(let digest): "\(CacheLayout.entries)/\(CacheLayout.fannedOut(digest.hex))"
        case .local(let key): "\(CacheLayout.local)/\(CacheLayout.fannedOut(key.digest.hex))"
        }
    }
}
