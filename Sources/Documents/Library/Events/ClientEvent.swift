public import Documents
public import Media

/// The progress of a resumable upload.
public struct UploadProgress: Hashable, Sendable {
    /// The upload, as its address names it.
    public let upload: ID<Upload>
    /// The client's name for the file; for the path of an object, its last part.
    public let fileName: String
    /// The bytes that have arrived.
    public let byteCount: Int64
    /// The size in bytes, once the client has declared it.
    public let length: Int64?
}

/// One message to a client that follows a person's events.
public enum ClientEvent: Hashable, Sendable {
    /// Something happened to a document; it can be sent again to a client that was disconnected.
    case event(DocumentEvent)
    /// The state of an upload, which nobody needs afterwards.
    case progress(UploadProgress)
}
