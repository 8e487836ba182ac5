public import Media

/// A job that is not in the queue yet.
public struct JobRequest: Hashable, Sendable {
    /// The sort of work.
    public var kind: JobKind
    /// The file that the job is about.
    public var source: JobSource
    /// The SHA-256 of the source; `nil` leaves it to the worker.
    public var digest: Digest?
    /// The renditions to make, at least one for jobs of that kind; their order does not matter.
    public var recipes: [Recipe]
    /// How urgent the job is.
    public var priority: Priority
    /// Who takes turns with others, such as the person whose file it is; `nil` for work of the operator, which waits in the line as it
    /// comes.
    public var party: String?

    /// A request, by default for renditions of an uploaded file at once.
    public init(
        kind: JobKind = .renditions, source: JobSource, digest: Digest? = nil, recipes: [Recipe],
        priority: Priority = .upload, party: String? = nil
    ) {
        self.kind = kind
        self.source = source
        self.digest = digest
        self.recipes = recipes
        self.priority = priority
        self.party = party
    }

    /// Two jobs with one identity are equal: of one kind, one digest (or one location, where the digest is unknown), and one
    /// set of recipes.
    ///
    /// The identity is text and no hash, so that different jobs never share it. The path, which comes from outside, stands
    /// last: no path can imitate another one with recipes.
    var identity: JobIdentity { identity(Self.identity(of: recipes)) }

    /// What the recipes add to an identity.
    static func identity(of recipes: [Recipe]) -> String {
        Set(recipes.map(\.canonical)).sorted().joined(separator: "\u{1}")
    }

    /// The identity, given what the recipes add to it.
    func identity(_ recipes: String) -> JobIdentity {
        let content =
            switch (digest, source) {
            case (let digest?, _): "digest:\(digest.hex)"
            case (nil, .path(let path)): "path:\(path)"
            case (nil, .object(let key)): "object:\(key)"
            case (nil, .address(let address)): "address:\(address)"
            }
        return JobIdentity(text: "\(kind.rawValue)\u{1}\(recipes)\u{1}\(content)")
    }
}
