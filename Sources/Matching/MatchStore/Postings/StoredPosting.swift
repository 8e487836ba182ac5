public import Matching
public import Media

/// A posting with what the store knows about it.
public struct StoredPosting: Hashable, Sendable {
    /// The identity in the store, which stays when the source changes the posting.
    public let id: ID<StoredPosting>
    /// What the source published last.
    public let posting: Posting
    /// When it was first imported.
    public let added: Instant
    /// When the source's words last changed.
    public let changed: Instant
}

/// How many postings an import has read.
public struct ImportCount: Hashable, Sendable {
    /// Postings that were not stored before.
    public var added = 0
    /// Postings that differed from the stored ones.
    public var changed = 0
    /// Postings already stored as they are.
    public var unchanged = 0

    /// Nothing yet.
    public init() {}

    /// All of them.
    public var total: Int { added + changed + unchanged }

    /// Adds another count.
    public static func += (count: inout ImportCount, other: ImportCount) {
        count.added += other.added
        count.changed += other.changed
        count.unchanged += other.unchanged
    }
}

/// What a source has in the store.
public struct SourceStatistics: Hashable, Sendable {
    /// The source's name.
    public let source: String
    /// Postings shown on the given day.
    public let openCount: Int
    /// Postings whose last day has passed.
    public let endedCount: Int
    /// Open postings whose work can be done from anywhere.
    public let remoteCount: Int
    /// How many different titles the open postings have.
    public let titleCount: Int
    /// The latest day on which a posting was published.
    public let newest: CivilDay?

    /// Statistics from their parts.
    public init(
        source: String, openCount: Int, endedCount: Int, remoteCount: Int, titleCount: Int, newest: CivilDay?
    ) {
        self.source = source
        self.openCount = openCount
        self.endedCount = endedCount
        self.remoteCount = remoteCount
        self.titleCount = titleCount
        self.newest = newest
    }
}
