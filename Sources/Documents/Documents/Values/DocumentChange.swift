public import Media

/// A change of a document's texts and school, field by field: `nil` leaves a field unchanged.
public struct DocumentChange: Hashable, Sendable {
    /// The new title, for all versions of the line.
    public var title: String?
    /// The new description; `.some(nil)` removes it.
    public var description: String??
    /// The new school; `.some(nil)` makes the document "General".
    public var school: ID<School>??

    /// A change of these fields.
    public init(title: String? = nil, description: String?? = nil, school: ID<School>?? = nil) {
        self.title = title
        self.description = description
        self.school = school
    }
}
