public import Media

/// A job to be enqueued.
public struct JobRequest: Hashable, Sendable {
    public var kind: JobKind
    public var source: JobSource
    /// The source's digest, where it is known.
    public var digest: Digest?
    /// What to make; at least one. Their order does not matter.
    public var recipes: [Recipe]
    public var priority: Priority
    /// Not claimed before; `nil` for at once.
    public var notBefore: QueueInstant?

    public init(
        kind: JobKind = .renditions, source: JobSource, digest: Digest? = nil, recipes: [Recipe],
        priority: Priority = .upload, notBefore: QueueInstant? = nil
    ) {
        self.kind = kind
        self.source = source
        self.digest = digest
        self.recipes = recipes
        self.priority = priority
        self.notBefore = notBefore
    }

    /// What makes two jobs the same: kind, digest (or where the source lies, if that is unknown), and the recipes' set.
    ///
    /// Text, not a hash of it: two different jobs can never be taken for one. What comes from outside stands last, so
    /// that no path can look like another one with recipes.
    var identity: String {
        let content =
            switch (digest, source) {
            case (let digest?, _): "digest:\(digest.hex)"
            case (nil, .path(let path)): "path:\(path)"
            case (nil, .object(let key)): "object:\(key)"
            }
        return ([kind.rawValue] + Set(recipes.map(\.canonical)).sorted() + [content]).joined(separator: "\u{1}")
    }
}
