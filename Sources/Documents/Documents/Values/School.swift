public import Media

/// A school in a person's own list.
public struct School: Hashable, Sendable {
    /// The ID by which documents and shares name the school.
    public let id: ID<School>
    /// Whose list it is in.
    public let owner: ID<Person>
    /// 1 to 200 characters; unique in the list, ignoring case and accents.
    public var name: String
    /// When it was added.
    public let created: Instant
}

/// The sharing of a document with a school.
public struct Share: Hashable, Sendable {
    /// The school that may see the document.
    public let school: ID<School>
    /// What the school may do.
    public let permission: Permission

    /// What a school may do with a document.
    public enum Permission: String, Hashable, Sendable, CaseIterable {
        case view
        case edit
    }

    /// A share with a school.
    public init(school: ID<School>, permission: Permission) {
        self.school = school
        self.permission = permission
    }
}
