public import Media

/// A failure in the cache: the same bytes would fail again.
public struct StoredFailure: Hashable, Sendable {
    /// The failure as the renderer gave it.
    public let failure: Failure
    /// The build of the renderer that failed.
    public let build: String
    /// When it failed: nanoseconds since 1970.
    public let created: Int64

    /// How long a transient failure counts: the machine's state may have caused it.
    public static let transientLifetime: Duration = .seconds(300)

    /// Whether a transient failure no longer counts. A failure from the future does not count either: the clock was set
    /// back.
    package func isExpired(at now: Int64) -> Bool {
        guard failure.isTransient else { return false }
        // As durations, which do not overflow: a record can contain any number.
        let age = Duration.nanoseconds(now) - .nanoseconds(created)
        return age < .zero || age > Self.transientLifetime
    }
}
