/// The most rows of each kind that one person has at once. The store checks new rows against them in the transaction
/// that adds them.
public enum PersonBounds {
    /// Documents, each with all of its versions.
    public static let documents = 50_000
    /// Versions in one line.
    public static let versionsOfDocument = 1000
    /// Schools in the list.
    public static let schools = 1000
    /// Schools that one document is shared with.
    public static let sharesOfDocument = 500
    /// Communication templates.
    public static let templates = 500
    /// The names and bodies of all communication templates together, in bytes of UTF-8.
    public static let templateBytes = 4 << 20
    /// Unexpired links to one document.
    public static let linksOfDocument = 50
    /// Unexpired links to all documents.
    public static let links = 2000
    /// Pictures of a person's files that somebody waits for and that are not made yet.
    public static let awaitedPictures = 32
    /// Resumable uploads in progress.
    public static let openUploads = 250
    /// Resumable uploads that began within their lifetime, including those that have ended.
    public static let uploads = 10_000
    /// Files in the bucket that belong to no document.
    public static let filesWithoutDocument = 10_000
    /// Files without an owner, of all people together: the résumés of searches by people who have not signed in.
    public static let filesOfNobody = 10_000
}
