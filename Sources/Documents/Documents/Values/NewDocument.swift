public import Media

/// A version that is to be stored: its bytes are already in the store of files.
public struct NewDocument: Hashable, Sendable {
    /// The person in whose lists it will appear.
    public var owner: ID<Person>
    /// Who stores it.
    public var uploader: ID<Person>
    /// The kind of paper or film, which decides the files that are allowed.
    public var type: DocumentType
    /// The title, checked by `TextRules`.
    public var title: String
    /// The description, checked by `TextRules`.
    public var description: String?
    /// The school that it is filed under.
    public var school: ID<School>?
    /// The file, with its object.
    public var file: Document.File
    /// Whether the file's object already has a row, at the file's path; otherwise it gets one with the version.
    public var isObjectStored: Bool
    /// The sniffer's facts of the file.
    public var facts: Facts?
    /// Any version of the line that this one joins; `nil` begins a line.
    public var predecessor: ID<Document>?
    /// Whether it becomes its line's current version. Otherwise the line keeps its current version.
    public var isCurrent: Bool
    /// The row by which the file arrived, which ends with the document; `nil` for an unannounced file.
    public var arrival: ObjectArrival?
    /// `quarantined` until a scanner has passed the file, otherwise `stored`. An object that has a row has its own
    /// verdict.
    public var state: Document.State
    /// The most bytes that the owner's versions may take including this one; `nil` for no limit.
    public var allowedByteCount: Int64?

    /// A version, by default the first of a line.
    public init(
        owner: ID<Person>, uploader: ID<Person>, type: DocumentType, title: String, description: String? = nil,
        school: ID<School>? = nil, file: Document.File, isObjectStored: Bool = false, facts: Facts? = nil,
        predecessor: ID<Document>? = nil, isCurrent: Bool = true,
        arrival: ObjectArrival? = nil, state: Document.State = .stored,
        allowedByteCount: Int64? = nil
    ) {
        self.owner = owner
        self.uploader = uploader
        self.type = type
        self.title = title
        self.description = description
        self.school = school
        self.file = file
        self.isObjectStored = isObjectStored
        self.facts = facts
        self.predecessor = predecessor
        self.isCurrent = isCurrent
        self.arrival = arrival
        self.state = state
        self.allowedByteCount = allowedByteCount
    }
}
