public import Media

/// A resumable upload: bytes that arrive in several requests.
///
/// The store keeps what the first request said. How many bytes have arrived is the size of the upload's file.
public struct Upload: Hashable, Sendable {
    /// The identity in the upload's address, and the name of its file.
    public let id: ID<Upload>
    /// The person in whose lists the document will appear.
    public let owner: ID<Person>
    /// Who sends the bytes.
    public let uploader: ID<Person>
    /// What the client said of the file, as an object.
    public let metadata: JSON
    /// The declared size in bytes; `nil` until the client declares it.
    public var length: Int64?
    /// When the upload began.
    public let created: Instant
    /// The moment from which the upload and its file may be removed.
    public let expires: Instant
    /// How the upload ended; `nil` while bytes may still arrive.
    public var end: End?

    /// The ways in which an upload ends.
    public enum End: Hashable, Sendable {
        /// All bytes were stored; `nil` where no document was made of them.
        case finished(ID<Document>?)
        /// The file was refused, for this reason.
        case failed(message: String)
    }

    /// An upload as the store has read it.
    public init(
        id: ID<Upload>, owner: ID<Person>, uploader: ID<Person>, metadata: JSON, length: Int64?, created: Instant,
        expires: Instant, end: End?
    ) {
        self.id = id
        self.owner = owner
        self.uploader = uploader
        self.metadata = metadata
        self.length = length
        self.created = created
        self.expires = expires
        self.end = end
    }
}
