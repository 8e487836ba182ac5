public import Media

/// A job that is not in the queue yet.
public struct JobRequest: Hashable, Sendable {
    /// The type of work.
    public var kind: JobKind
    /// The file to process.
    public var source: JobSource
    /// The SHA-256 of the source; `nil` leaves it to the worker.
    public var digest: Digest?
    /// The renditions to make; at least one for jobs of that kind. Their order does not matter.
    public var recipes: [Recipe]
    /// How urgent the job is.
    public var priority: Priority
    /// The party that takes turns with others, such as the person whose file it is. `nil` for the operator's work,
    /// which waits in order of arrival.
    public var party: String?

    /// A request, by default for renditions of an uploaded file.
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

    /// Two jobs with one identity are equal. They have the same kind, the same digest (or location, if the digest is
    /// unknown) and the same set of recipes.
    ///
    /// The identity is text, not a hash, so different jobs never share it. The path comes from outside and stands last,
    /// so no path can imitate another one with recipes.
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
