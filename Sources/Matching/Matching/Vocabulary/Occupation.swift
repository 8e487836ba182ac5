/// A kind of work that people do under many titles.
public struct Occupation: Hashable, Sendable {
    /// The identity in its source: the O*NET code (`15-1252.00`), the ESCO URI, or the name in the built-in list.
    public var code: String
    /// The title that is shown.
    public var name: String
    /// The group of occupations, such as `Software`; empty if the source has none.
    public var field: String
    /// Other titles of the same work.
    public var titles: [String]
    /// The codes of occupations in which the same person could work.
    public var related: [String]
    /// The names of the skills that the work uses, the most important first.
    public var skills: [String]

    /// An occupation; only its code and name are required.
    public init(
        code: String, name: String, field: String = "", titles: [String] = [], related: [String] = [],
        skills: [String] = []
    ) {
        self.code = code
        self.name = name
        self.field = field
        self.titles = titles
        self.related = related
        self.skills = skills
    }
}
