public import Media

/// A content whose picture job has ended.
public struct EndedPictures: Hashable, Sendable {
    /// The queue's number of the job.
    public let job: Int64
    /// The object that the job named.
    public let object: ObjectID
    /// Whether the job made the pictures.
    public let isDone: Bool
    /// The reason for people if it made none.
    public let failure: String?
    /// Whether it made none because its file was gone: another version with the content may still have its file.
    public let isSourceMissing: Bool
}

/// The outcome of a version's pictures.
public enum PictureOutcome: Hashable, Sendable {
    /// They are in the cache.
    case ready(Facts?, placeholder: String?)
    /// None can be made, for this reason.
    case failed(message: String)
}
