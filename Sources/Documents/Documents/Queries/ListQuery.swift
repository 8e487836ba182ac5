public import Media

/// Which of a person's documents a list shows, in which order, and from where.
public struct ListQuery: Hashable, Sendable {
    /// Only these types; empty for all.
    public var types: Set<DocumentType> = []
    /// Only documents of one school, or of none.
    public var school: SchoolFilter?
    /// Only shared documents, or only others.
    public var isShared: Bool?
    /// A text that the title or description contains, ignoring case and accents; empty for no search.
    public var search = ""
    /// The order.
    public var sort = Sort.newest
    /// The place after which the page begins; `nil` for the first page.
    public var cursor: ListCursor?
    /// The most documents on a page, 1...200.
    public var limit = Self.usualLimit

    /// The number of documents on a page if the client asks for none.
    public static let usualLimit = 50
    /// The most that a client may ask for.
    public static let largestLimit = 200

    /// All documents, newest first.
    public init() {}

    /// Only documents that are filed under one school, or under none.
    public enum SchoolFilter: Hashable, Sendable {
        /// Documents of one school.
        case school(ID<School>)
        /// Documents that belong to none.
        case general
    }

    /// The orders of a list. Equal documents are ordered by ID.
    public enum Sort: String, Hashable, Sendable, CaseIterable {
        case newest
        case oldest
        /// By folded title.
        case name
        /// By the type's word, then the newest first.
        case type
        /// By the number of schools, then the newest first.
        case mostShared = "most_shared"
    }
}

/// Some documents in their order, with the counts beside them.
public struct ListPage: Hashable, Sendable {
    /// Documents at the version that their line shows.
    public var documents: [Document]
    /// Where the next page begins; `nil` on the last one.
    public var next: ListCursor?
    /// How many documents pass the filters.
    public var filteredCount: Int
    /// How many documents the person has.
    public var totalCount: Int
}
