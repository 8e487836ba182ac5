internal import Media

/// A pattern of `like` and `ilike`: `%` stands for any text, `_` for one character, a backslash takes the next literally.
struct LikePattern: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case anyText, anyScalar
        case literal(Unicode.Scalar)
        /// A backslash at the end.
        case brokenEscape
    }

    private let parts: [Part]
    private let ignoresCase: Bool

    init(_ text: String, ignoresCase: Bool) {
        self.ignoresCase = ignoresCase
        var parts: [Part] = []
        var scalars = (ignoresCase ? text.lowercased() : text).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            // Several in a row are as one, and would only cost time.
            case "%": if parts.last != .anyText { parts.append(.anyText) }
            case "_": parts.append(.anyScalar)
            case "\\":
                parts.append(scalars.popFirst().map(Part.literal) ?? .brokenEscape)
            default: parts.append(.literal(scalar))
            }
        }
        self.parts = parts
    }

    /// Whether the whole text matches; the time is bounded by the product of the lengths.
    ///
    /// - Throws: `22025` where a backslash at the pattern's end is reached, as late as PostgreSQL sees it.
    func matches(_ text: String, effort: inout Effort) throws(RowError) -> Bool {
        // What the text costs before it is looked at.
        try effort.spend(text.utf8.count)
        let scalars = Array((ignoresCase ? text.lowercased() : text).unicodeScalars)
        var (place, part) = (0, 0)
        // Where to go on when a later part fails: the last `%` takes one scalar more.
        var retry: (place: Int, part: Int)?
        while place < scalars.count {
            try effort.spend(1)
            if part < parts.count, parts[part] == .brokenEscape {
                throw RowError(400, "22025", "LIKE pattern must not end with escape character")
            } else if part < parts.count, parts[part] == .anyText {
                part += 1
                retry = (place, part)
            } else if part < parts.count, parts[part] == .anyScalar || parts[part] == .literal(scalars[place]) {
                place += 1
                part += 1
            } else if let last = retry {
                place = last.place + 1
                part = last.part
                retry = (place, part)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .anyText }
    }
}
