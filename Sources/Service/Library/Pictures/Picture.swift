public import Media
public import ThumbnailCache

/// What a request for a picture gets.
public enum Picture: Sendable {
    /// The rendition.
    case ready(Rendition)
    /// It is being made; ask again after this time.
    case pending(retryAfter: Duration)
    /// None can be made of this file.
    case failed(Failure)
}

/// Runs blocking work without holding a thread of the caller's.
public protocol BlockingWork: Sendable {
    /// Runs the body on a thread that may block.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
}
