public import Media

/// A stored file as its row describes it: bytes that never change, under an ID that no other file ever gets.
public struct StoredObject: Hashable, Sendable {
    /// The ID of the bytes in the store of files.
    public let id: ObjectID
    /// The person whose file it is; `nil` for a file without an owner.
    public let owner: ID<Person>?
    /// Where clients of the bucket find it; `nil` for nowhere.
    public let path: String?
    /// The SHA-256 of the bytes.
    public let digest: Digest
    /// The size in bytes.
    public let byteCount: Int64
    /// The media type by content.
    public let mediaType: MediaType
    /// What the sniffer found; `nil` if it found nothing.
    public let facts: FactsText?
    /// Whether it may be served.
    public let verdict: Verdict
    /// What the client that sent it said about it.
    public let notes: FileNotes
    /// The time from which it was complete, by the clock of the database.
    public let stored: Instant

    /// A scanner's verdict on the bytes.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// The scanner found nothing, or none was set when the file was stored.
        case passed
        /// No scanner has checked it yet.
        case pending
        /// The file contains malware.
        case infected
    }

    /// An object as the store has read it.
    public init(
        id: ObjectID, owner: ID<Person>?, path: String?, digest: Digest, byteCount: Int64, mediaType: MediaType,
        facts: FactsText?, verdict: Verdict, notes: FileNotes, stored: Instant
    ) {
        self.id = id
        self.owner = owner
        self.path = path
        self.digest = digest
        self.byteCount = byteCount
        self.mediaType = mediaType
        self.facts = facts
        self.verdict = verdict
        self.notes = notes
        self.stored = stored
    }
}

/// A file whose bytes are in the store of files, and which is to get its row.
public struct NewObject: Hashable, Sendable {
    /// The ID of the bytes.
    public var id: ObjectID
    /// Whose file it is; `nil` for a file without an owner.
    public var owner: ID<Person>?
    /// Where clients are to find it; `nil` for nowhere.
    public var path: String?
    /// The SHA-256 of the bytes.
    public var digest: Digest
    /// The size in bytes.
    public var byteCount: Int64
    /// The media type by content.
    public var mediaType: MediaType
    /// What the sniffer found.
    public var facts: FactsText?
    /// Whether it may be served.
    public var verdict: StoredObject.Verdict
    /// What the client says about it.
    public var notes = FileNotes()

    /// A file without notes.
    public init(
        id: ObjectID, owner: ID<Person>?, path: String?, digest: Digest, byteCount: Int64, mediaType: MediaType,
        facts: FactsText?, verdict: StoredObject.Verdict
    ) {
        self.id = id
        self.owner = owner
        self.path = path
        self.digest = digest
        self.byteCount = byteCount
        self.mediaType = mediaType
        self.facts = facts
        self.verdict = verdict
    }

    /// A copy of an object, with its bytes under an ID of its own.
    public init(_ id: ObjectID, copying object: StoredObject, owner: ID<Person>, path: String) {
        self.init(
            id: id, owner: owner, path: path, digest: object.digest, byteCount: object.byteCount,
            mediaType: object.mediaType, facts: object.facts, verdict: object.verdict)
        notes = object.notes
    }
}
