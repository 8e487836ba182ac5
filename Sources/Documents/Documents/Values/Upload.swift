public import Media

/// A resumable upload: bytes that arrive in several requests, and then become a stored file.
///
/// Its row records its state. Any process may move it from one state to the next, and may retry. The size of the
/// incoming file is the number of bytes that have arrived.
public struct Upload: Hashable, Sendable {
    /// The ID in the upload's address.
    public let id: ID<Upload>
    /// The ID of its bytes in the store of files.
    public let object: ObjectID
    /// The person whose file it will be.
    public let owner: ID<Person>
    /// Who sends the bytes; once all have arrived, who requested the end.
    public var uploader: ID<Person>
    /// What the file is for.
    public var purpose: Purpose
    /// The declared size in bytes; `nil` until the client declares it.
    public var length: Int64?
    /// When the upload began.
    public let created: Instant
    /// The moment from which the upload and its bytes may be removed.
    public let expires: Instant
    /// How far it is.
    public var state: State
    /// What a client was told about why it cannot be finished yet; `nil` if none was told.
    public var trouble: String?

    /// What a file is for.
    public enum Purpose: Hashable, Sendable {
        /// A document. The texts are the client's: `type`, `file_name`, `title`, `description`, `school_id`,
        /// `document_id`.
        case document(texts: [String: String])
        /// A file at a path of the bucket, where it may replace another one.
        case file(path: String, replacing: Bool, notes: FileNotes)
    }

    /// The states, in order.
    public enum State: Hashable, Sendable {
        /// Bytes may arrive.
        case receiving
        /// All bytes are on the disk, and no more are taken. The file is to be hashed and identified.
        case checking
        /// The file is what it should be. It is to become an object with its rows.
        case finishing(FileContent)
        /// The file has its rows; `nil` if it is not a document.
        case stored(ID<Document>?)
        /// The file was refused, for this reason, and its bytes are removed.
        case refused(message: String)
    }

    /// An upload as the store has read it.
    public init(
        id: ID<Upload>, object: ObjectID, owner: ID<Person>, uploader: ID<Person>, purpose: Purpose, length: Int64?,
        created: Instant, expires: Instant, state: State, trouble: String? = nil
    ) {
        self.id = id
        self.object = object
        self.owner = owner
        self.uploader = uploader
        self.purpose = purpose
        self.length = length
        self.created = created
        self.expires = expires
        self.state = state
        self.trouble = trouble
    }
}

/// What a whole file was found to be.
public struct FileContent: Hashable, Sendable {
    /// The SHA-256 of the bytes.
    public let digest: Digest
    /// What the bytes are, whatever the file's name says.
    public let mediaType: MediaType
    /// What the sniffer found; `nil` if it found nothing.
    public let facts: FactsText?

    /// The content of a file with this digest.
    public init(digest: Digest, mediaType: MediaType, facts: FactsText?) {
        self.digest = digest
        self.mediaType = mediaType
        self.facts = facts
    }
}
