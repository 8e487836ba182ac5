/// Who may call a route: every face of the service lists its routes with one of these.
public enum Audience: String, Hashable, Sendable, CaseIterable {
    /// Anybody, signed in or not: the answer has nothing of a person's.
    case anyone
    /// A person, about their own things.
    case person
    /// A person, about their own account; nobody who acts for them.
    case account
    /// The holder of one of the service's keys, about the things within the caller's reach.
    case key
    /// The holder of a signed address, about the one thing that it names.
    case token
}

/// A row in the table of routes: what may be requested, and by whom.
public struct RouteRule: Hashable, Sendable {
    /// The method: `GET`, `POST` and so on.
    public let method: String
    /// The path's pattern: `/api/documents/{id}`. In the app's wire, `{path}` at the end stands for one or more names.
    public let path: String
    /// Who may call it.
    public let audience: Audience

    /// Whether a request may change something.
    public let isChange: Bool

    /// Whether a request may bring a file.
    public let takesFile: Bool

    /// Whether a person may call it very often: it only reads, or takes a file or part of one. The audit log keeps
    /// fewer lines of these.
    public var isRoutine: Bool { takesFile || !isChange }

    /// A row of the table.
    ///
    /// - Parameter isChange: `nil` derives it from the method; some clients request lists by `POST`.
    public init(
        _ method: String, _ path: String, _ audience: Audience, isChange: Bool? = nil, takesFile: Bool = false
    ) {
        self.takesFile = takesFile
        self.method = method
        self.path = path
        self.audience = audience
        self.isChange = isChange ?? !["GET", "HEAD", "OPTIONS"].contains(method)
    }
}
