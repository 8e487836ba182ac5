public import Documents
public import Media

/// How far a resumable upload has come.
public struct UploadProgress: Hashable, Sendable {
    /// The upload, as its address names it.
    public let upload: ID<Upload>
    /// What the client calls the file; for the path of an object its last part.
    public let fileName: String
    /// The bytes that have arrived.
    public let byteCount: Int64
    /// The size in bytes, once the client has declared it.
    public let length: Int64?
}

/// One thing that a client that follows a person's events is told.
public enum ClientEvent: Hashable, Sendable {
    /// Something happened to a document; it can be told again to a client that was away.
    case event(DocumentEvent)
    /// The state of an upload, which nobody needs afterwards.
    case progress(UploadProgress)
}
