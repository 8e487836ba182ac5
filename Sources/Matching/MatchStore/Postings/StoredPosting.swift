public import Matching
public import Media

/// A posting with what the store knows of it.
public struct StoredPosting: Hashable, Sendable {
    /// The identity here, which stays when the source changes the posting.
    public let id: ID<StoredPosting>
    /// What the source published last.
    public let posting: Posting
    /// When it was first brought in.
    public let added: Instant
    /// When the source's words were last different.
    public let changed: Instant
}

/// How many postings an import has brought in.
public struct ImportCount: Hashable, Sendable {
    /// Postings that were not there.
    public var added = 0
    /// Postings of which something was different.
    public var changed = 0
    /// Postings that were there just so.
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

/// What a source has here.
public struct SourceStatistics: Hashable, Sendable {
    /// The source's name.
    public let source: String
    /// Postings that are shown on the day that was asked about.
    public let openCount: Int
    /// Postings whose last day is over.
    public let endedCount: Int
    /// Of the open ones those that can be done from anywhere.
    public let remoteCount: Int
    /// How many different titles the open ones have.
    public let titleCount: Int
    /// The latest day on which one was published.
    public let newest: CivilDay?

    /// Statistics of their parts.
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
