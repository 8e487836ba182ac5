public import Media

/// Counts of the pictures that machines share.
public struct SharedPictureStatistics: Hashable, Sendable {
    /// Sources of which anything is stored.
    public internal(set) var entries = 0
    /// Renditions of all recipes, each with its record.
    public internal(set) var renditions = 0
    /// Sources whose facts are stored.
    public internal(set) var facts = 0
    /// Bytes of all these, as the store states them.
    public internal(set) var byteCount: Int64 = 0
    /// Files that do not belong to the machines.
    public internal(set) var foreign = 0
}

extension SharedPictureFiles {
    /// Counts the files from their list.
    ///
    /// - Throws: `unavailable`.
    public func statistics() throws(Failure) -> SharedPictureStatistics {
        var statistics = SharedPictureStatistics()
        var last: Digest?
        try walk { file throws(Failure) in
            guard let (digest, content) = file.meaning else {
                statistics.foreign += 1
                return
            }
            if digest != last { statistics.entries += 1 }
            last = digest
            if content == .facts { statistics.facts += 1 } else { statistics.renditions += 1 }
            // The sizes that an untrustworthy store states may add up to any sum.
            statistics.byteCount &+= file.byteCount
        }
        return statistics
    }
}
