public import Media

/// One version of a document: a row of the store, which names a file.
///
/// The versions of a document are its *line*; one of them is current. Title, type and owner are those of the line.
public struct Document: Hashable, Sendable {
    /// The ID of this version.
    public let id: ID<Document>
    /// The line that the version belongs to.
    public let line: ID<Line>
    /// The person in whose lists it appears.
    public let owner: ID<Person>
    /// What the document is, which decides the files that it may have.
    public let type: DocumentType
    /// 1 to 100 characters.
    public var title: String
    /// Up to 500 characters; `nil` if there is none.
    public var description: String?
    /// A number from 1, unique in the line.
    public let version: Int
    /// Whether it is the version that the line shows. A line may briefly have none; then it shows its highest version.
    public var isCurrent: Bool
    /// The school that the document is filed under; `nil` is shown as "General".
    public var school: ID<School>?
    /// The bytes behind the version, in the object store.
    public var file: File
    /// What is known of the file's content, as text; `nil` before a renderer has opened it.
    public var factsText: FactsText?
    /// The ThumbHash in base64.
    public var placeholder: String?
    /// How far the file has been processed.
    public var state: State
    /// Why there is no picture, for people; `nil` unless the state is `failed`.
    public var failure: String?
    /// Who stored this version: the owner, or somebody acting for them.
    public let uploader: ID<Person>
    /// When this version was stored.
    public let created: Instant
    /// When anything in it was last changed.
    public var updated: Instant
    /// The schools that the line is shared with, in the order in which they were added.
    public var shares: [Share]

    /// The file of a version.
    public struct File: Hashable, Sendable {
        /// The object that has the bytes; `nil` once the file was removed.
        public let object: ObjectID?
        /// Where clients of the bucket found it when the version was stored: `{owner}/{type}/{milliseconds}_{name}`.
        public let path: String
        /// The name that the person gave it, made safe; for downloads.
        public let name: String
        /// The media type by content.
        public let mediaType: MediaType
        /// The SHA-256 of the bytes.
        public let digest: Digest
        /// The size in bytes.
        public let byteCount: Int64

        /// A stored file.
        public init(
            object: ObjectID?, path: String, name: String, mediaType: MediaType, digest: Digest, byteCount: Int64
        ) {
            self.object = object
            self.path = path
            self.name = name
            self.mediaType = mediaType
            self.digest = digest
            self.byteCount = byteCount
        }
    }

    /// How far a version's file has been processed.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// The file is stored; its pictures are not made yet.
        case stored
        /// A scanner has not passed the file: it is not served.
        case quarantined
        /// The pictures are in the cache.
        case ready
        /// No picture can be made; `failure` says why. The file can still be downloaded.
        case failed
    }

    /// A version as the store has read it.
    public init(
        id: ID<Document>, line: ID<Line>, owner: ID<Person>, type: DocumentType, title: String, description: String?,
        version: Int, isCurrent: Bool, school: ID<School>?, file: File, facts: FactsText?, placeholder: String?,
        state: State, failure: String?, uploader: ID<Person>, created: Instant, updated: Instant, shares: [Share]
    ) {
        self.id = id
        self.line = line
        self.owner = owner
        self.type = type
        self.title = title
        self.description = description
        self.version = version
        self.isCurrent = isCurrent
        self.school = school
        self.file = file
        self.factsText = facts
        self.placeholder = placeholder
        self.state = state
        self.failure = failure
        self.uploader = uploader
        self.created = created
        self.updated = updated
        self.shares = shares
    }

    /// What is known of the file's content. Each call parses the text.
    public var facts: Facts? { factsText?.facts }
}
