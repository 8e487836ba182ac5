public import Documents
public import Media
public import ThumbnailCache

/// A picture of a document that a request asks for.
public struct WantedPicture: Sendable {
    /// The version whose file is shown.
    public let document: Document
    /// The size and the format.
    public let recipe: Recipe
    /// Another format of the picture, which is the answer if the cache has only this one; the right one is then made
    /// while nobody waits.
    public let standIn: Recipe?
    /// Whether a visitor asks, who has no account.
    public let isVisited: Bool

    /// A picture by its recipe.
    public init(
        of document: Document, _ recipe: Recipe, standIn: Recipe? = nil, isVisited: Bool = false
    ) {
        self.document = document
        self.recipe = recipe
        self.standIn = standIn
        self.isVisited = isVisited
    }
}

/// The answer to a request for a picture.
public enum Picture: Sendable {
    /// The rendition, with the digest of its bytes.
    case ready(StoredRendition)
    /// It is being made; retry after this time.
    case pending(retryAfter: Duration)
    /// None can be made of this file.
    case failed(Failure)
}

/// Runs blocking work without holding a thread of the caller.
public protocol BlockingWork: Sendable {
    /// Runs the body on a thread that may block.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
}
